// Asks which skinning an engine uses: judge MODEL CLIP SECONDS. Here the engine is sinew itself, in linear blending.
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <vector>

#include "sinew.h"

namespace {

struct Deleter {
    void operator()(sinew_model *model) const { sinew_model_free(model); }
    void operator()(sinew_pose *pose) const { sinew_pose_free(pose); }
    void operator()(char *text) const { sinew_string_free(text); }
};

template <typename T, typename Call> std::unique_ptr<T, Deleter> made(Call call) {
    sinew_error error{sizeof(sinew_error), {}};
    T *result = nullptr;
    if (call(&result, &error) != SINEW_OK) throw std::runtime_error(error.message);
    return std::unique_ptr<T, Deleter>(result);
}

} // namespace

int main(int count, char **words) try {
    if (count != 4) {
        std::fprintf(stderr, "usage: judge MODEL CLIP SECONDS\n");
        return SINEW_USAGE;
    }
    auto model = made<sinew_model>([&](auto out, auto error) { return sinew_load_file(words[1], out, error); });
    auto pose = made<sinew_pose>([&](auto out, auto error) {
        return sinew_pose_clip(model.get(), std::strtoul(words[2], nullptr, 10), std::atof(words[3]), out, error);
    });
    std::vector<float> mine;
    for (std::size_t primitive = 0; primitive < sinew_primitive_count(model.get()); primitive++) {
        const std::size_t vertices = sinew_primitive_vertices(model.get(), primitive);
        const std::size_t start = mine.size();
        mine.resize(start + 3 * vertices);
        sinew_out out{sizeof(sinew_out), vertices, mine.data() + start, 0, nullptr, 0, nullptr, 0, 0};
        if (sinew_skin(model.get(), pose.get(), SINEW_LBS, primitive, &out, nullptr) != SINEW_OK) return SINEW_BUG;
    }
    const sinew_vertices given{sizeof(sinew_vertices), mine.size() / 3, mine.data(), 0, nullptr, 0};
    auto answer = made<char>(
        [&](auto out, auto error) { return sinew_diagnose(model.get(), pose.get(), &given, out, error); });
    std::puts(answer.get());
    return SINEW_OK;
} catch (const std::exception &error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return SINEW_INPUT;
}
