// The functions of lab texture_scaling, and what a call of one cannot say: images that the answer makes.
#include "grader/runner/functions.h"
#include "grader/runner/worker.cuh"
#include "texture_scaling.h"

using namespace warpbook::grader;

namespace {

using Pixels = OutputBuffer<unsigned char>;

int number(const Case& given, const std::string& name) { return static_cast<int>(given.integer(name)); }

Pixels pixels_for(const Case& given, const std::string& name) {
  return Pixels(given, name, static_cast<std::size_t>(number(given, "out_width")) * number(given, "out_height"));
}

/// Resizes an image by one of the two functions that do.
void run_resize(const Case& given, Reply& reply, bool smooth) {
  const InputBuffer<unsigned char> in(given, "in");
  const Pixels out = pixels_for(given, "out");
  const int in_width = number(given, "in_width"), in_height = number(given, "in_height");
  const Image image = make_image(in.data(), in_width, in_height, smooth, false, cudaAddressModeClamp);
  measure(reply, [&] {
    (smooth ? resize : resize_nearest)(image.texture, in_width, in_height, out.data(), number(given, "out_width"),
                                       number(given, "out_height"));
  });
  WB_CHECK(cudaDeviceSynchronize());
  release_image(image);
  send(reply, in, out);
}

void run_repeat(const Case& given, Reply& reply) {
  const InputBuffer<unsigned char> in(given, "in");
  const Pixels out = pixels_for(given, "out");
  const Image image = make_image(in.data(), number(given, "in_width"), number(given, "in_height"), true, true,
                                 static_cast<cudaTextureAddressMode>(number(given, "edge")));
  measure(reply, [&] {
    repeat(image.texture, out.data(), number(given, "out_width"), number(given, "out_height"),
           static_cast<float>(given.real("across")), static_cast<float>(given.real("down")));
  });
  WB_CHECK(cudaDeviceSynchronize());
  release_image(image);
  send(reply, in, out);
}

/// Two images of one size, which exist at the same time, and are released in the order in which they were made.
void run_two(const Case& given, Reply& reply) {
  const InputBuffer<unsigned char> in(given, "in"), other(given, "other");
  const Pixels out = pixels_for(given, "out"), other_out = pixels_for(given, "other_out");
  const int in_width = number(given, "in_width"), in_height = number(given, "in_height");
  const Image image = make_image(in.data(), in_width, in_height, true, false, cudaAddressModeClamp);
  const Image other_image = make_image(other.data(), in_width, in_height, true, false, cudaAddressModeClamp);
  measure(reply, [&] {
    resize(image.texture, in_width, in_height, out.data(), number(given, "out_width"), number(given, "out_height"));
  });
  WB_CHECK(cudaDeviceSynchronize());
  release_image(image);
  resize(other_image.texture, in_width, in_height, other_out.data(), number(given, "out_width"),
         number(given, "out_height"));
  WB_CHECK(cudaDeviceSynchronize());
  release_image(other_image);
  send(reply, in, other, out, other_out);
}

}  // namespace

WB_FUNCTION(predict_pixel)
WB_FUNCTION(predict_weight)
WB_FUNCTION(predict_requests)
WB_FUNCTION(resize_by_hand)
WB_RUNNER("resize_nearest", [](const Case& given, Reply& reply) { run_resize(given, reply, false); })
WB_RUNNER("resize", [](const Case& given, Reply& reply) { run_resize(given, reply, true); })
WB_RUNNER("repeat", run_repeat)
WB_RUNNER("two_images", run_two)
