// What printf in a kernel prints for flags, widths, precisions, lengths and conversions. h200_printf.txt holds what an
// H200 printed.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>

#include "check.h"

#pragma nv_diag_suppress 225, 226, 181, 224, 185

namespace {

constexpr int kFormatBytes = 24;

/// Formats in device memory, as literals are. Each list of parts gives one format for each choice of its words.
template <int kMost>
struct Formats {
  char text[kMost][kFormatBytes] = {};
  int count = 0;

  constexpr void add(const char* flags, const char* width, const char* precision, const char* length, char conversion) {
    int at = 0;
    text[count][at++] = '%';
    for (const char* part : {flags, width, precision, length}) {
      for (; *part != '\0'; ++part) text[count][at++] = *part;
    }
    text[count][at++] = conversion;
    text[count][at] = '\0';
    ++count;
  }
};

template <int kMost, class Flags, class Widths, class Precisions, class Lengths>
constexpr Formats<kMost> formats(const Flags& flags, const Widths& widths, const Precisions& precisions,
                                 const Lengths& lengths, const char* conversions) {
  Formats<kMost> made;
  for (; *conversions != '\0'; ++conversions) {
    for (const char* length : lengths) {
      for (const char* flag : flags) {
        for (const char* width : widths) {
          for (const char* precision : precisions) made.add(flag, width, precision, length, *conversions);
        }
      }
    }
  }
  return made;
}

constexpr const char* kFlags[] = {"", "-", "+", " ", "#", "0", "-+", "+0", "#0", "-#", " 0", "+ -#0"};
constexpr const char* kFewFlags[] = {"", "-", "0"};
constexpr const char* kNoWords[] = {""};
constexpr const char* kWidths[] = {"", "9"};
constexpr const char* kPrecisions[] = {"", ".", ".0", ".3", ".12"};
constexpr const char* kLengths[] = {"", "hh", "h"};
constexpr const char* kLongLengths[] = {"l", "ll", "j", "z", "t"};
constexpr const char* kAllLengths[] = {"", "hh", "h", "l", "ll", "j", "z", "t", "L"};
constexpr const char* kLengthFlags[] = {"", "#", "+", "016"};
constexpr const char* kNumberLengths[] = {"", "hh", "h", "l", "j", "z", "t", "L"};
constexpr const char* kStarLengths[] = {"ll", "z"};
constexpr const char* kStar[] = {"*"};
constexpr const char* kPrecisionStar[] = {".*"};

__device__ const auto kIntegerFormats = formats<600>(kFlags, kWidths, kPrecisions, kNoWords, "duxXo");
__device__ const auto kLengthFormats = formats<72>(kLengthFlags, kNoWords, kNoWords, kLengths, "diuxXo");
__device__ const auto kLongFormats = formats<120>(kLengthFlags, kNoWords, kNoWords, kLongLengths, "diuxXo");
__device__ const auto kNumberFormats = formats<480>(kFlags, kWidths, kPrecisions, kNoWords, "fega");
__device__ const auto kNumberLengthFormats = formats<72>(kNoWords, kNoWords, kNoWords, kNumberLengths, "fFeEgGaA");
__device__ const auto kCharacterFormats = formats<324>(kFlags, kWidths, kPrecisions, kNoWords, "c");
__device__ const auto kCharacterLengthFormats = formats<9>(kNoWords, kNoWords, kNoWords, kAllLengths, "c");
__device__ const auto kStringFormats = formats<120>(kFlags, kWidths, kPrecisions, kNoWords, "s");
__device__ const auto kPointerFormats = formats<120>(kFlags, kWidths, kPrecisions, kNoWords, "p");
__device__ const auto kPointerLengthFormats = formats<9>(kNoWords, kNoWords, kNoWords, kAllLengths, "p");
__device__ const auto kStarWidths = formats<24>(kFewFlags, kStar, kNoWords, kNoWords, "dxc");
__device__ const auto kStarPrecisions = formats<24>(kFewFlags, kNoWords, kPrecisionStar, kNoWords, "dxc");
__device__ const auto kStars = formats<24>(kFewFlags, kStar, kPrecisionStar, kNoWords, "dx");
__device__ const auto kNumberStars = formats<24>(kFewFlags, kStar, kPrecisionStar, kNoWords, "feg");
__device__ const auto kStringStars = formats<24>(kFewFlags, kStar, kPrecisionStar, kNoWords, "s");
__device__ const auto kLongStars = formats<24>(kFewFlags, kStar, kPrecisionStar, kStarLengths, "d");

__device__ const int kFewIntegers[] = {0, 42, -42};
__device__ const int kIntegers[] = {0,     1,     -1,     127,    128,    -128,       -129,      255,      256,
                                    32767, 32768, -32768, -32769, 0xffff, 0x12345678, INT32_MAX, INT32_MIN};
__device__ const long long kLongs[] = {
    0, 1, -1, 255, 65536, INT32_MIN, 0x100000000, -0x100000001, 0x123456789abcdef0, INT64_MAX, INT64_MIN};
__device__ const double kFewNumbers[] = {0.0, -2.5, 3.14159265358979, 1e-7, -INFINITY, NAN};
__device__ const double kNumbers[] = {0.0,
                                      -0.0,
                                      1.0,
                                      -2.5,
                                      0.1,
                                      0.5,
                                      123456789.0,
                                      1e15,
                                      1e-5,
                                      2.2250738585072014e-308,
                                      4.9406564584124654e-324,
                                      -1.4012984643248171e-45,
                                      INFINITY,
                                      -INFINITY,
                                      NAN,
                                      -NAN};
__device__ const int kCharacters[] = {'A', '%', 0, 10, 200, 321, -1};
__device__ const char kText[] = "some text";
__device__ const char* const kStrings[] = {"", "a", "some text", nullptr, "\xc3\xa4 \x01"};
__device__ const unsigned long long kPointers[] = {0, 1, 0x7f0000001000, ~0ull};
__device__ const int kStarValues[] = {0, 1, 5, -5, 12, -12};

template <class Formats, class T>
__device__ void print_values(const Formats& formats, const T& values) {
  for (int i = 0; i < formats.count; ++i) {
    printf("%s:", formats.text[i]);
    for (const auto value : values) {
      printf(" |");
      printf(formats.text[i], value);
    }
    printf("|\n");
  }
}

template <class Formats, class T>
__device__ void print_star(const Formats& formats, T value) {
  for (int i = 0; i < formats.count; ++i) {
    printf("%s:", formats.text[i]);
    for (const int star : kStarValues) {
      printf(" |");
      printf(formats.text[i], star, value);
    }
    printf("|\n");
  }
}

template <class Formats, class T>
__device__ void print_stars(const Formats& formats, T value) {
  for (int i = 0; i < formats.count; ++i) {
    printf("%s:", formats.text[i]);
    for (const int width : kStarValues) {
      for (const int precision : kStarValues) {
        printf(" |");
        printf(formats.text[i], width, precision, value);
      }
    }
    printf("|\n");
  }
}

__global__ void integers() {
  print_values(kIntegerFormats, kFewIntegers);
  print_values(kLengthFormats, kIntegers);
  print_values(kLongFormats, kLongs);
}

__global__ void numbers() { print_values(kNumberFormats, kFewNumbers); }

__global__ void number_lengths() {
  print_values(kNumberLengthFormats, kNumbers);
  printf("%f %.20f %g\n", 1.7976931348623157e308, 1e300, -1e300);
  printf("%.60e\n%.1100f\n", 4.9406564584124654e-324, 4.9406564584124654e-324);
  printf("%f %f\n", 1.5f, static_cast<double>(0.1f));
}

__global__ void characters() {
  print_values(kCharacterFormats, kCharacters);
  print_values(kCharacterLengthFormats, kCharacters);
}

__global__ void strings() {
  print_values(kStringFormats, kStrings);
  __shared__ char shared[8];
  volatile char local[8];
  static __device__ char global[] = "global";
  static __constant__ char constant[] = "constant";
  for (int i = 0; i < 7; ++i) local[i] = shared[i] = static_cast<char>('a' + i);
  local[7] = shared[7] = '\0';
  printf("%s %s %s %s %.3s\n", shared, const_cast<const char*>(local), global, constant, shared);
  local[0] = '%';
  local[1] = 'd';
  printf(const_cast<const char*>(local), 7);
  printf("\n");
}

__global__ void pointers() {
  print_values(kPointerFormats, kPointers);
  print_values(kPointerLengthFormats, kPointers);
}

__global__ void stars() {
  print_star(kStarWidths, 42);
  print_star(kStarPrecisions, 42);
  print_stars(kStars, -42);
  print_stars(kNumberStars, 3.14159265358979);
  print_stars(kStringStars, static_cast<const char*>(kText));
  print_stars(kLongStars, -123456789012345ll);
}

__global__ void wide() {
  printf("%600d|\n%-600d|\n%.600d|\n%01200d|\n", 1, 2, 3, 4);
  printf("%.600f|\n%1200.700e|\n", 1.5, -2.5);
  printf("%1200s|\n%-1200s|\n%1200c|\n%1200p|\n", "a", "b", 'c', reinterpret_cast<void*>(16));
}

/// Each with two arguments more, which show how many a conversion takes.
__global__ void others() {
#define OTHER(text) printf("%s: |", text "|"), printf(text "|%d|%d|\n", 7, 8, 9, 10, 11, 12, 13, 14)
  OTHER("%%");
  OTHER("%y");
  OTHER("%5y");
  OTHER("%k");
  OTHER("%r");
  OTHER("%D");
  OTHER("%U");
  OTHER("%O");
  OTHER("%!");
  OTHER("% ");
  OTHER("%5-d");
  OTHER("%5+d");
  OTHER("%5 d");
  OTHER("%5.3.2d");
  OTHER("%-.3d");
  OTHER("%--5d");
  OTHER("%++d");
  OTHER("%00005d");
  OTHER("%.005d");
  OTHER("%5*d");
#undef OTHER
  printf("1 %d 2 %d 3 %\n", 1, 2);
  printf("%");
  printf("\n");
  printf("%5");
  printf("\n");
  printf("%l");
  printf("\n");
  printf("a\0b\n");
  printf("\nno arguments\n", 1, 2, 3);
  printf("");
}

/// Values of another type than the conversion's.
__global__ void other_types() {
  printf("%d|%d|%d\n", 0x100000002ll, 3, 4);
  printf("%d|%d|%d\n", 1.5, 2, 3);
  printf("%d|%d|%d\n", 1, 2.5, 3);
  printf("%f|%d|%d\n", 1, 2, 3, 4);
  printf("%lld|%d|%d\n", 1, 2, 3, 4);
  printf("%lld|%d|%d\n", -1, -1, 3, 4);
  printf("%u %x %c\n", -1, -1, -1);
  printf("%hhd %hhu %hd %hu %hhx %hx\n", -129, -129, -32769, -32769, -129, -32769);
  printf("%c%d%c%lld%c%f%c%s%c\n", 'a', 1, 'b', 2ll, 'c', 3.0, 'd', "four", 'e');
  printf("%*lld|%.*f|%*.*s|\n", 8, 2ll, 2, 3.0, 6, 2, "text");
}

__global__ void answers() {
  int given[8];
  given[0] = printf("");
  given[1] = printf("no arguments\n");
  given[2] = printf("%%\n");
  given[3] = printf("%d %d\n", 1, 2);
  given[4] = printf("%*.*f\n", 8, 3, 1.5);
  given[5] = printf("%s\n", "text");
  given[6] = printf("no conversions\n", 1, 2);
  given[7] = printf("%y\n", 1, 2);
  for (const int answer : given) printf("%d ", answer);
  printf("\n");
  const char* volatile null = nullptr;
  given[0] = printf(null, 1);
  printf("%d\n", given[0]);
#define EIGHT(x) x, x + 1, x + 2, x + 3, x + 4, x + 5, x + 6, x + 7
#define EIGHT_FORMATS "%d %d %d %d %d %d %d %d "
  given[0] =
      printf(EIGHT_FORMATS EIGHT_FORMATS EIGHT_FORMATS EIGHT_FORMATS "\n", EIGHT(0), EIGHT(8), EIGHT(16), EIGHT(24));
  given[1] = printf(EIGHT_FORMATS EIGHT_FORMATS EIGHT_FORMATS EIGHT_FORMATS "%d|\n", EIGHT(0), EIGHT(8), EIGHT(16),
                    EIGHT(24), 32);
  given[2] = printf(EIGHT_FORMATS EIGHT_FORMATS EIGHT_FORMATS EIGHT_FORMATS EIGHT_FORMATS "|\n", EIGHT(0), EIGHT(8),
                    EIGHT(16), EIGHT(24), EIGHT(32));
  printf("%d %d %d\n", given[0], given[1], given[2]);
}

/// What conversions count, and read, that only one side of printf knows.
__global__ void counts() {
  int given[8];
  printf("%ld|%d|%zu\n", 1ll << 40, 5, sizeof(int));
  given[0] = printf("%*d\n", 5, 1);
  given[1] = printf("%zu\n", 1ull);
  given[2] = printf("%hhd|%d\n", 1, 2);
  given[3] = printf("%d|%hhd\n", 1, 2);
  given[4] = printf("%hhd|%hhd|%lld\n", 1, 2, 3ll);
  given[5] = printf("%-*c|%s\n", 4, 'c', "text");
  given[6] = printf("%hs|%hp\n", "text", nullptr);
  given[7] = printf("%s%s%%%d%%\n", "a", "b", 1);
  for (const int answer : given) printf("%d ", answer);
  printf("\n");
}

struct Part {
  const char* name;
  void (*kernel)();
};

}  // namespace

/// One part after another, or only the named one.
int main(int argc, char** argv) {
  const Part parts[] = {{"integers", integers},
                        {"numbers", numbers},
                        {"number_lengths", number_lengths},
                        {"characters", characters},
                        {"strings", strings},
                        {"pointers", pointers},
                        {"stars", stars},
                        {"wide", wide},
                        {"others", others},
                        {"other_types", other_types},
                        {"answers", answers},
                        {"counts", counts}};
  PRINT_FAILURE(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 64 << 20));
  for (const Part& part : parts) {
    if (argc > 1 && std::strcmp(argv[1], part.name) != 0) continue;
    std::printf("== %s\n", part.name);
    std::fflush(stdout);
    part.kernel<<<1, 1>>>();
    PRINT_FAILURE(cudaDeviceSynchronize());
  }
  return 0;
}
