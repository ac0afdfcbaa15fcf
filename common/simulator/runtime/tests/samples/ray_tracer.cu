// A ray tracer: spheres as classes with virtual functions, created on the device; which one each ray hits, and a
// picture.
#include "sample.h"

namespace {

struct Ray {
  long long x, y;  ///< It goes along z from here.
};

class Shape {
 public:
  __device__ virtual ~Shape() {}
  /// Where the ray hits it along z, or a large number.
  __device__ virtual long long meet(const Ray& ray) const = 0;
  __device__ virtual char letter() const { return '?'; }
};

__host__ __device__ long long root(long long value) {
  long long r = 0;
  for (long long bit = 1ll << 20; bit != 0; bit /= 2)
    if ((r + bit) * (r + bit) <= value) r += bit;
  return r;
}

class Sphere : public Shape {
 public:
  __device__ Sphere(long long x, long long y, long long z, long long r, char letter)
      : x_(x), y_(y), z_(z), r_(r), letter_(letter) {}
  __device__ long long meet(const Ray& ray) const override {
    const long long left = r_ * r_ - (ray.x - x_) * (ray.x - x_) - (ray.y - y_) * (ray.y - y_);
    return left < 0 ? 1ll << 40 : z_ - root(left);
  }
  __device__ char letter() const override { return letter_; }

 protected:
  long long x_, y_, z_, r_;
  char letter_;
};

class Disc final : public Sphere {
 public:
  using Sphere::Sphere;
  __device__ long long meet(const Ray& ray) const override { return Sphere::meet(ray) < 1ll << 40 ? z_ : 1ll << 40; }
};

class Wall : public Shape {
 public:
  __device__ explicit Wall(long long z) : z_(z) {}
  __device__ long long meet(const Ray& ray) const override { return z_ + ray.y / 4; }
  __device__ char letter() const override { return '.'; }

 private:
  long long z_;
};

constexpr int kShapes = 5, kWidth = 64, kHeight = 24;

__global__ void make(Shape** shapes) {
  shapes[0] = new Sphere(200, 100, 500, 90, 'a');
  shapes[1] = new Sphere(300, 140, 450, 60, 'b');
  shapes[2] = new Disc(420, 90, 420, 80, 'c');
  shapes[3] = new Sphere(500, 180, 600, 100, 'd');
  shapes[4] = new Wall(900);
}

__global__ void trace(Shape* const* shapes, char* picture, long long* depths) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const Ray ray{i % kWidth * 10, i / kWidth * 10};
  long long depth = 1ll << 41;
  char seen = ' ';
  for (int s = 0; s < kShapes; ++s) {
    const long long at = shapes[s]->meet(ray);
    if (at < depth) depth = at, seen = shapes[s]->letter();
  }
  picture[i] = seen, depths[i] = depth;
}

__global__ void destroy(Shape** shapes) { delete shapes[threadIdx.x]; }

}  // namespace

int main() {
  sample::Device<Shape*> shapes(kShapes);
  sample::Device<char> picture(kWidth * kHeight);
  sample::Device<long long> depths(kWidth * kHeight);
  make<<<1, 1>>>(shapes);
  trace<<<kWidth * kHeight / 128, 128>>>(shapes, picture, depths);
  destroy<<<1, kShapes>>>(shapes);
  FINISH();
  struct Ball {
    long long x, y, z, r;
    char letter;
    bool flat;
  };
  const Ball balls[] = {{200, 100, 500, 90, 'a', false},
                        {300, 140, 450, 60, 'b', false},
                        {420, 90, 420, 80, 'c', true},
                        {500, 180, 600, 100, 'd', false}};
  std::vector<char> wanted;
  std::vector<long long> wanted_depths;
  for (int i = 0; i < kWidth * kHeight; ++i) {
    const long long x = i % kWidth * 10, y = i / kWidth * 10;
    long long depth = 900 + y / 4;
    char seen = '.';
    for (const Ball& ball : balls) {
      const long long left = ball.r * ball.r - (x - ball.x) * (x - ball.x) - (y - ball.y) * (y - ball.y);
      const long long at = left < 0 ? 1ll << 40 : ball.flat ? ball.z : ball.z - root(left);
      if (at < depth) depth = at, seen = ball.letter;
    }
    wanted.push_back(seen), wanted_depths.push_back(depth);
  }
  sample::compare("picture", picture.get(), wanted);
  sample::compare("depths", depths.get(), wanted_depths);
  const std::vector<char> got = picture.get();
  for (int y = 0; y < kHeight; ++y) std::printf("%.*s\n", kWidth, &got[y * kWidth]);
  return sample::passed();
}
