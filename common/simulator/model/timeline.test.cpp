// Tests of the virtual clock: order in a stream, overlap between streams, events.
#include "common/simulator/model/timeline.h"

#include <algorithm>

#include "common/simulator/model/near.h"
#include "common/testing/catch.h"

using namespace warpbook::simulator;

namespace {

KernelTime kernel_of(double us, double share) {
  KernelTime time;
  time.us = us;
  time.device_share = share;
  return time;
}

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;

}  // namespace

TEST_CASE("events around a kernel measure it and the cost of an event") {
  const Device& device = load_device("h200");
  Timeline timeline(device);
  // With enough work ahead, the host's calls do not matter.
  timeline.kernel(0, "ahead", kernel_of(100, 1));
  const double start = timeline.record(0);
  timeline.kernel(0, "kernel", kernel_of(50, 1));
  const double stop = timeline.record(0);
  CHECK(near(stop - start, 50 + device.model.event_us + device.model.launch_gap_us));
  CHECK_FALSE(timeline.reached(stop));
  timeline.synchronise_until(stop);
  CHECK(timeline.reached(stop));
  CHECK(near(timeline.now_us(), stop + device.model.synchronise_us));
}

TEST_CASE("kernels of one stream follow one another, those of two run side by side if they fit") {
  const Device& device = load_device("h200");
  const auto end_of_two = [&](bool two_streams, double share) {
    Timeline timeline(device);
    timeline.create_stream(1, true);
    timeline.create_stream(2, true);
    timeline.kernel(1, "a", kernel_of(500, share));
    return timeline.kernel(two_streams ? 2 : 1, "b", kernel_of(500, share)).end_us;
  };
  CHECK(end_of_two(false, 0.25) > 1000);
  CHECK(end_of_two(true, 0.25) < 510);
  CHECK(end_of_two(true, 0.5) < 510);
  CHECK(end_of_two(true, 0.6) > 1000);
}

TEST_CASE("as many small kernels run at once as on the H200") {
  // Measured: 16 kernels of 66 blocks with 1024 threads take four rounds of 500 us; the device holds 264 such blocks.
  const Device& device = load_device("h200");
  Timeline timeline(device);
  double end = 0;
  for (std::uint32_t stream = 1; stream <= 16; ++stream) {
    timeline.create_stream(stream, true);
    end = std::max(end, timeline.kernel(stream, "spin", kernel_of(500, 66.0 / 264)).end_us);
  }
  CHECK(end > 2000);
  CHECK(end < 2100);
}

TEST_CASE("copies in opposite directions overlap, copies in one direction queue up") {
  const Device& device = load_device("h200");
  const auto end_of = [&](CopyKind second) {
    Timeline timeline(device);
    timeline.create_stream(1, true);
    timeline.create_stream(2, true);
    timeline.copy(1, CopyKind::host_to_device, 64 * kMiB, false);
    return timeline.copy(2, second, 64 * kMiB, false).end_us;
  };
  // Measured: 1216 us for one copy, 1325 for two in opposite directions, 2426 for two in one direction.
  CHECK(near(end_of(CopyKind::device_to_host), 1325, 0.01));
  CHECK(near(end_of(CopyKind::host_to_device), 2426, 0.05));
}

TEST_CASE("a pipeline of copies and kernels takes as long as on the H200") {
  // Measured: 2^24 floats in and out, a kernel of 47 us between, in slices and streams.
  const Device& device = load_device("h200");
  const auto time_of = [&](unsigned slices, unsigned streams) {
    Timeline timeline(device);
    for (std::uint32_t stream = 1; stream <= streams; ++stream) timeline.create_stream(stream, false);
    for (unsigned i = 0; i < slices; ++i) {
      const std::uint32_t stream = 1 + i % streams;
      timeline.copy(stream, CopyKind::host_to_device, 64 * kMiB / slices, false);
      timeline.kernel(stream, "kernel", kernel_of(4 + 43.0 / slices, 1));
      timeline.copy(stream, CopyKind::device_to_host, 64 * kMiB / slices, false);
    }
    timeline.synchronise_all();
    return timeline.now_us();
  };
  CHECK(near(time_of(1, 1), 2474, 0.02));
  CHECK(near(time_of(4, 1), 2532, 0.02));
  CHECK(near(time_of(64, 1), 3567, 0.05));
  CHECK(near(time_of(2, 2), 1909, 0.05));
  CHECK(near(time_of(4, 4), 1648, 0.05));
  CHECK(near(time_of(16, 3), 1498, 0.06));
}

TEST_CASE("a kernel of high priority does not queue up behind others") {
  // Measured: behind four kernels of 2414 us in another stream, a small one ends after 53 us with the highest priority.
  const Device& device = load_device("h200");
  const auto end_of = [&](int priority) {
    Timeline timeline(device);
    timeline.create_stream(1, true, 0);
    timeline.create_stream(2, true, priority);
    for (int i = 0; i < 4; ++i) timeline.kernel(1, "long", kernel_of(2414, 1));
    const double end = timeline.kernel(2, "urgent", kernel_of(20, 0.02)).end_us;
    CHECK(timeline.kernel(1, "long", kernel_of(2414, 1)).start_us > 4 * 2414);
    return end;
  };
  CHECK(end_of(-5) < 60);
  CHECK(end_of(0) > 2414);
}

// As on an H200 (driver 580.159, CUDA 13.0, 2026-11-23; validation/timeline/queues), in units of 200 us.
TEST_CASE("a kernel that waits for its stream holds up only what shares its hardware queue") {
  const Device& device = load_device("h200");
  const auto units = [&](unsigned connections, unsigned streams, unsigned kernels, bool depth_first) {
    Timeline timeline(device, connections);
    for (std::uint32_t stream = 1; stream <= streams; ++stream) timeline.create_stream(stream, true);
    GridDemand one;
    one.needs = {1.0 / 32, 1.0 / 64, 0, 0};
    KernelTime time;
    time.us = 200;
    double end = 0;
    for (unsigned i = 0; i < streams * kernels; ++i) {
      const std::uint32_t stream = 1 + (depth_first ? i / kernels : i % streams);
      end = std::max(end, timeline.kernel(stream, "spin", time, one).end_us);
    }
    return end / 200;
  };
  CHECK(near(units(8, 4, 2, true), 2.13, 0.04));
  CHECK(near(units(8, 8, 2, true), 2.27, 0.04));
  CHECK(near(units(8, 9, 2, true), 3.03, 0.04));
  CHECK(near(units(8, 16, 2, true), 3.26, 0.04));
  CHECK(near(units(8, 32, 2, true), 5.28, 0.04));
  CHECK(near(units(8, 32, 2, false), 2.50, 0.06));
  CHECK(near(units(1, 4, 2, true), 5.05, 0.04));
  CHECK(near(units(1, 16, 2, true), 17.18, 0.04));
  CHECK(near(units(1, 16, 2, false), 2.33, 0.06));
  CHECK(near(units(2, 8, 2, true), 5.09, 0.04));
  CHECK(near(units(4, 8, 2, true), 3.12, 0.04));
}

// The same day, validation/timeline/queues: after a wait for an event, a copy or a host function of another stream.
TEST_CASE("what waits for a copy or an event holds up no other stream") {
  const Device& device = load_device("h200");
  Timeline timeline(device, 1);
  for (std::uint32_t stream = 1; stream <= 3; ++stream) timeline.create_stream(stream, true);
  timeline.copy(1, CopyKind::host_to_device, 32 * kMiB, false);
  CHECK(timeline.kernel(1, "behind", kernel_of(10, 0.01)).start_us > 600);
  timeline.wait(2, 700);
  CHECK(timeline.kernel(2, "waits", kernel_of(10, 0.01)).start_us >= 700);
  CHECK(timeline.kernel(3, "free", kernel_of(10, 0.01)).start_us < 50);
}

// The same day, validation/timeline/host_functions: medians of events around n of them, and of when one starts.
TEST_CASE("host functions wait until the driver's thread wakes up, and follow one another") {
  const Device& device = load_device("h200");
  const auto behind = [&](unsigned functions) {
    Timeline timeline(device);
    timeline.create_stream(1, true);
    const double start = timeline.kernel(1, "spin", kernel_of(500, 0.01)).end_us;
    for (unsigned i = 0; i < functions; ++i) timeline.host_function(1);
    return timeline.end_of(1) - start;
  };
  CHECK(near(behind(1), 75.9, 0.05));
  CHECK(near(behind(8), 85.0, 0.05));
  CHECK(near(behind(32), 112.4, 0.05));
  Timeline idle(device);
  idle.create_stream(1, true);
  idle.host_function(1);
  CHECK(near(idle.end_of(1), 9.7));
}

// The same day, validation/timeline/copies: beside a kernel of 500 us that fills the device.
TEST_CASE("copies within the device and memsets need room on it, short memsets do not") {
  const Device& device = load_device("h200");
  const auto end_beside = [&](double share, auto put) {
    Timeline timeline(device);
    timeline.create_stream(1, true);
    timeline.create_stream(2, true);
    timeline.kernel(1, "spin", kernel_of(500, share));
    return put(timeline);
  };
  const auto copy = [](Timeline& timeline) {
    return timeline.copy(2, CopyKind::device_to_device, 64 * kMiB, false).end_us;
  };
  const auto fill = [](std::uint64_t bytes) {
    return [bytes](Timeline& timeline) { return timeline.memset(2, bytes).end_us; };
  };
  CHECK(near(end_beside(1, copy), 538, 0.02));
  CHECK(near(end_beside(0.001, copy), 43, 0.1));
  CHECK(near(end_beside(1, fill(64 * kMiB)), 521, 0.02));
  CHECK(end_beside(1, fill(4)) < 12);
}

TEST_CASE("a copy from pageable memory holds the host up, one from pinned memory does not") {
  const Device& device = load_device("h200");
  Timeline pinned(device), pageable(device);
  pinned.copy(0, CopyKind::host_to_device, kMiB, false);
  pageable.copy(0, CopyKind::host_to_device, kMiB, true);
  CHECK(pinned.now_us() < 5);
  CHECK(pageable.now_us() > 100);
}

TEST_CASE("a small copy from pageable memory is staged and does not wait for its stream, one to it does") {
  const Device& device = load_device("h200");
  Timeline in(device), out(device);
  for (Timeline* timeline : {&in, &out}) {
    timeline->create_stream(1, false);
    timeline->copy(1, CopyKind::host_to_device, 64 * kMiB, false);
  }
  const Activity staged = in.copy(1, CopyKind::host_to_device, 1024, true);
  CHECK(in.now_us() < 10);
  CHECK(staged.start_us > 1000);
  out.copy(1, CopyKind::device_to_host, 1024, true);
  CHECK(out.now_us() > 1000);
}

TEST_CASE("the default stream and blocking streams wait for each other, non-blocking ones do not") {
  const Device& device = load_device("h200");
  Timeline timeline(device);
  timeline.create_stream(1, false);
  timeline.create_stream(2, true);
  const Activity first = timeline.kernel(1, "blocking", kernel_of(100, 0.1));
  const Activity second = timeline.kernel(Timeline::kDefaultStream, "default", kernel_of(100, 0.1));
  CHECK(second.start_us >= first.end_us);
  const Activity third = timeline.kernel(1, "blocking again", kernel_of(100, 0.1));
  CHECK(third.start_us >= second.end_us);
  Timeline other(device);
  other.create_stream(2, true);
  const Activity a = other.kernel(2, "non-blocking", kernel_of(100, 0.1));
  const Activity b = other.kernel(Timeline::kDefaultStream, "default", kernel_of(100, 0.1));
  CHECK(b.start_us < a.end_us);
}

TEST_CASE("a stream that waits for an event starts after it") {
  const Device& device = load_device("h200");
  Timeline timeline(device);
  timeline.create_stream(1, true);
  timeline.create_stream(2, true);
  timeline.kernel(1, "producer", kernel_of(300, 0.1));
  const double event = timeline.record(1);
  timeline.wait(2, event);
  CHECK(timeline.kernel(2, "consumer", kernel_of(10, 0.1)).start_us >= event);
  CHECK_FALSE(timeline.finished(2));
  timeline.synchronise_all();
  CHECK(timeline.finished(1));
  CHECK(timeline.finished(2));
}

TEST_CASE("a prefetch runs in its stream beside kernels of others, and the host goes on") {
  const Device& device = load_device("h200");
  Timeline timeline(device);
  timeline.create_stream(1, true);
  timeline.create_stream(2, true);
  PageTraffic traffic;
  traffic.bytes_to_device = 64 * kMiB;
  const Activity kernel = timeline.kernel(1, "long", kernel_of(2000, 1));
  const Activity prefetch = timeline.prefetch(2, true, traffic);
  CHECK(timeline.now_us() < 20);
  // Measured: 1758 to 1851 us, and 2029 for both.
  CHECK(near(prefetch.end_us - prefetch.start_us, 1800, 0.05));
  CHECK(prefetch.engine == Engine::copy_in);
  CHECK(prefetch.end_us < kernel.end_us);
  CHECK(timeline.kernel(2, "next", kernel_of(10, 0.1)).start_us >= prefetch.end_us);
}

TEST_CASE("page faults of the host hold it up, those of a copy hold its stream up") {
  const Device& device = load_device("h200");
  Timeline timeline(device);
  PageTraffic back;
  back.cpu_page_faults = 192;
  back.bytes_to_host = 64 * kMiB;
  timeline.host_fault(back);
  CHECK(near(timeline.now_us(), 7030, 0.02));  // measured: 64 MiB read back by the host
  PageTraffic filled;
  filled.gpu_page_faults = 12;
  filled.populated_bytes = 8 * kMiB;
  const double before = timeline.now_us();
  const Activity faults = timeline.copy_fault(0, filled);
  CHECK(near(faults.end_us - faults.start_us, 666, 0.2));  // measured: memset of 8 MiB that nobody had touched
  CHECK(timeline.now_us() == before);
  CHECK(timeline.memset(0, 8 * kMiB).start_us >= faults.end_us);
}

TEST_CASE("page faults make a kernel as long as was measured, and name themselves as its limiter") {
  const Device& device = load_device("h200");
  PageTraffic traffic;
  traffic.gpu_page_faults = 4;
  traffic.bytes_to_device = 64 * kMiB;
  KernelTime time = kernel_of(218, 1);
  time.limiter = "latency";
  time.components = {{"latency", 218}};
  add_page_traffic(device, traffic, time);
  CHECK(near(time.us, 3430, 0.06));  // measured: 64 MiB filled by the host, a warp for each 64 KiB
  CHECK(time.limiter == "page_faults");
  KernelTime remote = kernel_of(55, 1);
  remote.limiter = "dram";
  remote.components = {{"dram", 55}};
  PageTraffic afar;
  afar.remote_bytes = 64 * kMiB;
  add_page_traffic(device, afar, remote);
  CHECK(near(remote.us, 1600, 0.02));  // measured: 1593 to 1612
  CHECK(remote.limiter == "remote");
  KernelTime plain = kernel_of(55, 1);
  add_page_traffic(device, PageTraffic{}, plain);
  CHECK(plain.us == 55);
  CHECK(plain.components.empty());
}

// As on an H200 (driver 580.159, CUDA 13.0, 2026-11-21), with a copy of 64 MiB in a stream that is destroyed at once:
// the default stream is not ready, and waiting for it takes 1260 us; if the stream was non-blocking, it is ready at
// once.
TEST_CASE("work of a destroyed stream still has to end") {
  const Device& device = load_device("h200");
  Timeline timeline(device);
  timeline.create_stream(1, true);
  const Activity work = timeline.kernel(1, "long", kernel_of(1000, 0.1));
  timeline.destroy_stream(1);
  CHECK(timeline.finished(Timeline::kDefaultStream));  // It does not wait for non-blocking streams.
  timeline.synchronise_all();
  CHECK(timeline.now_us() >= work.end_us);

  timeline.create_stream(2, false, 0);
  const Activity blocking = timeline.kernel(2, "long", kernel_of(1000, 0.1));
  timeline.destroy_stream(2);
  CHECK_FALSE(timeline.finished(Timeline::kDefaultStream));
  timeline.synchronise(Timeline::kDefaultStream);
  CHECK(timeline.now_us() >= blocking.end_us);
}

// As two H200s of one host did (driver 580.159, CUDA 13.0, 2026-11-21).
TEST_CASE("copies between devices take the link if there is access, the host otherwise") {
  const Device& device = load_device("h200");
  const auto duration = [&](std::uint64_t bytes, bool direct) {
    Timeline timeline(device);
    timeline.add_device(device);
    const Activity copy = timeline.peer_copy(Timeline::default_stream(1), 0, 1, bytes, direct);
    return copy.end_us - copy.start_us;
  };
  CHECK(near(duration(256 * kMiB, true), 690, 0.03));
  CHECK(near(duration(256 * kMiB, false), 7100, 0.03));
  CHECK(near(duration(16 * kMiB, true), 53, 0.1));
  CHECK(near(duration(16 * kMiB, false), 470, 0.05));
  CHECK(near(duration(4, true) + device.model.event_us, 10.5, 0.1));
  CHECK(near(duration(4, false) + device.model.event_us, 17, 0.05));
}

TEST_CASE("devices work side by side, and a link takes copies one after another in each direction") {
  const Device& device = load_device("h200");
  Timeline timeline(device);
  timeline.add_device(device);
  const std::uint32_t first = Timeline::default_stream(0), second = Timeline::default_stream(1);
  CHECK(Timeline::device_of(second) == 1);
  CHECK(Timeline::is_default(second));
  const Activity long_one = timeline.kernel(first, "long", kernel_of(1000, 1));
  const Activity other = timeline.kernel(second, "other", kernel_of(10, 1));
  CHECK(other.end_us < long_one.end_us);  // Its default stream is of no concern to the first device's.
  timeline.synchronise_all(1);
  CHECK(timeline.now_us() < long_one.end_us);
  timeline.synchronise_all(0);
  CHECK(timeline.now_us() >= long_one.end_us);
  const Activity there = timeline.peer_copy(first, 0, 1, 64 * kMiB, true);
  const Activity back = timeline.peer_copy(second, 1, 0, 64 * kMiB, true);
  CHECK(back.start_us < there.end_us);
  timeline.create_stream(second | 5, true);
  CHECK(timeline.peer_copy(second | 5, 0, 1, kMiB, true).start_us >= there.end_us);
}

TEST_CASE("a kernel that uses another device's memory is as fast as the link") {
  const Device& device = load_device("h200");
  const Link* const link = device.link_to(device);
  REQUIRE(link != nullptr);
  KernelTime reading = kernel_of(80, 1);
  reading.components = {{"latency", 20}, {"launch", 2}};
  PeerTraffic all;
  all.link = link;
  all.read_bytes = all.bytes = 256 * kMiB;
  add_peer_traffic(device, all, 256 * kMiB, reading);
  CHECK(near(256 * kMiB / reading.us / 1000, 356, 0.01));  // GB/s
  CHECK(reading.limiter == "peer");
  // Dependent loads: 862 ns each.
  KernelTime chasing = kernel_of(2000 * device.model.dram_latency / device.clock_mhz(), 0.01);
  chasing.components = {{"latency", chasing.us}, {"launch", 0}};
  PeerTraffic little;
  little.link = link;
  little.read_bytes = little.bytes = 64000;
  add_peer_traffic(device, little, 64000, chasing);
  CHECK(near(chasing.us * 1000 / 2000, 862, 0.01));
  KernelTime own = kernel_of(80, 1);
  add_peer_traffic(device, PeerTraffic{}, kMiB, own);
  CHECK(own.us == 80);
}
