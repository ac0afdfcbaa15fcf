// What nvcc generates for texture_indirect_functions.h and surface_indirect_functions.h, and the queries.
#include "common/simulator/machine/operations/image_forms.h"

namespace warpbook::simulator {

std::vector<std::string> tested_image_instructions() {
  struct Shape {
    const char *name, *at, *gradient;
  };
  const Shape shapes[] = {
      {"1d", "{%f0}", "{%f4}"},
      {"2d", "{%f0, %f1}", "{%f4, %f5}"},
      {"3d", "{%f0, %f1, %f2, %f2}", "{%f4, %f5, %f6, %f6}"},
      {"a1d", "{%r4, %f0}", "{%f4}"},
      {"a2d", "{%r4, %f0, %f1, %f1}", "{%f4, %f5}"},
      {"cube", "{%f0, %f1, %f2, %f2}", "{%f4, %f5, %f6, %f6}"},
      {"acube", "{%r4, %f0, %f1, %f2}", "{%f4, %f5, %f6, %f6}"},
  };
  std::vector<std::string> all;
  const std::string f4 = "{%f8, %f9, %f10, %f11}";
  for (const Shape& s : shapes) {
    const std::string place = "[%rd3, " + std::string(s.at) + "]";
    all.push_back("tex." + std::string(s.name) + ".v4.f32.f32 " + f4 + ", " + place);
    all.push_back("tex." + std::string(s.name) + ".v4.f32.f32 " + f4 + "|%p3, " + place);
    all.push_back("tex.level." + std::string(s.name) + ".v4.f32.f32 " + f4 + ", " + place + ", %f3");
    all.push_back("tex.grad." + std::string(s.name) + ".v4.f32.f32 " + f4 + ", " + place + ", " + s.gradient + ", " +
                  s.gradient);
  }
  for (const char* component : {"r", "g", "b", "a"})
    all.push_back("tld4." + std::string(component) + ".2d.v4.f32.f32 " + f4 + ", [%rd3, {%f0, %f1}]");
  all.push_back("tex.2d.v4.u32.f32 {%r8, %r9, %r10, %r11}, [%rd3, {%f0, %f1}]");
  all.push_back("tex.1d.v4.f32.s32 " + f4 + ", [%rd3, {%r4}]");
  for (const char* what : {"width", "height", "depth", "channel_data_type", "channel_order", "array_size"}) {
    all.push_back("txq." + std::string(what) + ".b32 %r8, [%rd3]");
    all.push_back("suq." + std::string(what) + ".b32 %r8, [%rd3]");
  }
  all.push_back("txq.normalized_coords.b32 %r8, [%rd3]");
  all.push_back("txq.num_mipmap_levels.b32 %r8, [%rd3]");
  for (const char* what : {"width", "height", "depth"})
    all.push_back("txq.level." + std::string(what) + ".b32 %r8, [%rd3], %r4");
  const char* const places[][2] = {{"1d", "{%r5}"},
                                   {"2d", "{%r5, %r6}"},
                                   {"3d", "{%r5, %r6, %r7, %r7}"},
                                   {"a1d", "{%r4, %r5}"},
                                   {"a2d", "{%r4, %r5, %r6, %r6}"}};
  const char* const values[][2] = {
      {"b8", "{%rs1}"},  {"v2.b8", "{%rs1, %rs2}"},  {"v4.b8", "{%rs1, %rs2, %rs3, %rs4}"},
      {"b16", "{%rs1}"}, {"v2.b16", "{%rs1, %rs2}"}, {"v4.b16", "{%rs1, %rs2, %rs3, %rs4}"},
      {"b32", "{%r8}"},  {"v2.b32", "{%r8, %r9}"},   {"v4.b32", "{%r8, %r9, %r10, %r11}"},
      {"b64", "{%rd8}"}, {"v2.b64", "{%rd8, %rd9}"}};
  for (const auto& place : places)
    for (const auto& value : values)
      for (const char* mode : {"trap", "clamp", "zero"}) {
        const std::string tail = std::string(place[0]) + "." + value[0] + "." + mode + " ";
        const std::string at = "[%rd3, " + std::string(place[1]) + "]";
        all.push_back("suld.b." + tail + value[1] + ", " + at);
        all.push_back("sust.b." + tail + at + ", " + value[1]);
      }
  all.push_back("sust.p.2d.v4.b32.trap [%rd3, {%r5, %r6}], {%r8, %r9, %r10, %r11}");
  return all;
}

}  // namespace warpbook::simulator
