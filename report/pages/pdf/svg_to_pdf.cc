// SPDX-License-Identifier: Apache-2.0
// libdovetail-pdf.so: the only code that uses librsvg and cairo (loaded by
// report/pages/write_report.cc).
#include <cairo-pdf.h>
#include <librsvg/rsvg.h>

#include <cstddef>
#include <string>

namespace {

std::string problem;  // last one; dovetail_svg_to_pdf() returns its text

const char* explain(std::string text) {
  problem = std::move(text);
  return problem.c_str();
}

// SVG's pixels are 1/96 inch, PDF's points 1/72.
constexpr double kPointsPerPixel = 0.75;

const char* render(RsvgHandle* handle, const char* path) {
  double width = 0;
  double height = 0;
  if (rsvg_handle_get_intrinsic_size_in_pixels(handle, &width, &height) == 0)
    return explain("the drawing has no size");
  cairo_surface_t* surface =
      cairo_pdf_surface_create(path, width * kPointsPerPixel, height * kPointsPerPixel);
  // No date, so that the same drawing gives the same bytes.
  cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE, "");
  cairo_t* cairo = cairo_create(surface);
  cairo_scale(cairo, kPointsPerPixel, kPointsPerPixel);
  const RsvgRectangle viewport{0, 0, width, height};
  GError* error = nullptr;
  const bool rendered = rsvg_handle_render_document(handle, cairo, &viewport, &error) != 0;
  cairo_destroy(cairo);
  cairo_surface_finish(surface);
  const cairo_status_t status = cairo_surface_status(surface);
  cairo_surface_destroy(surface);
  if (!rendered) {
    const char* text = explain(error->message);
    g_error_free(error);
    return text;
  }
  return status == CAIRO_STATUS_SUCCESS ? nullptr : explain(cairo_status_to_string(status));
}

}  // namespace

// Returns null on success, else the error, valid until the next call.
extern "C" __attribute__((visibility("default"))) const char* dovetail_svg_to_pdf(
    const char* svg, size_t bytes, const char* path) {
  GError* error = nullptr;
  RsvgHandle* handle =
      rsvg_handle_new_from_data(reinterpret_cast<const guint8*>(svg), bytes, &error);
  if (handle == nullptr) {
    const char* text = explain(error->message);
    g_error_free(error);
    return text;
  }
  rsvg_handle_set_dpi(handle, 96);
  const char* text = render(handle, path);
  g_object_unref(handle);
  return text;
}
