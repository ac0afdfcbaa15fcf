// How uneven blocks are distributed over multiprocessors.
#include "common/simulator/model/block_loads.h"

#include "common/simulator/model/near.h"
#include "common/testing/catch.h"

using namespace warpbook::simulator;

TEST_CASE("equal blocks, and blocks of unknown work, have no busiest multiprocessor") {
  CHECK(busiest_share({7, 7, 7}, 3, {2}, 1) == 0);
  CHECK(busiest_share({7, 8}, 3, {2}, 1) == 0);
  CHECK(busiest_share({}, 3, {2}, 1) == 0);
}

TEST_CASE("the first blocks are distributed in turn") {
  // Multiprocessor 0 has blocks 0 and 2, number 1 the others.
  CHECK(near(busiest_share({10, 1, 20, 1}, 4, {2}, 2), 30.0 / 32));
}

TEST_CASE("later blocks go where one has ended first") {
  // Block 2 follows block 1, and so does block 3, because block 0 is still running.
  CHECK(near(busiest_share({10, 1, 2, 3}, 4, {2}, 1), 10.0 / 16));
}

TEST_CASE("some multiprocessors take their turns early, and get no more blocks than the others") {
  // Number 0 has blocks 0, 2 and 5, number 1 blocks 1, 4 and 7, number 2 blocks 3, 6 and 8: after the first turn it has
  // its second after one block of the others, and its third after two more.
  const BlockTurns turns{3, 1, 1, 2};
  CHECK(near(busiest_share({100, 1, 100, 1, 1, 100, 1, 1, 1}, 9, turns, 3), 300.0 / 306));
  CHECK(near(busiest_share({1, 100, 1, 1, 100, 1, 1, 100, 1}, 9, turns, 3), 300.0 / 306));
  CHECK(near(busiest_share({1, 1, 1, 100, 1, 1, 100, 1, 100}, 9, turns, 3), 300.0 / 306));
  // Where all have been given as many, the next goes where one ends first.
  CHECK(near(busiest_share({1, 50, 100, 7}, 4, turns, 1), 100.0 / 158));
}

TEST_CASE("a device of fewer multiprocessors than take their turns early distributes blocks in turn") {
  CHECK(near(busiest_share({10, 1, 20, 1}, 4, {2, 8, 72, 93}, 2), 30.0 / 32));
  CHECK(near(busiest_share({10, 1, 20, 1}, 4, {2, 2, 1, 1}, 2), 30.0 / 32));
}
