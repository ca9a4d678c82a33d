// SPDX-License-Identifier: Apache-2.0
#pragma once

// The look of every page, and the one thing it does: sort a table by the column clicked at.

#include <string_view>

namespace dovetail {

// Without `<`, `&` and `]]>`: a page is XML, too.
inline constexpr std::string_view kPageStyle = R"css(
:root { color-scheme: light dark; --ink:#1a1a1a; --muted:#5c5c5c; --line:#dcdcdc; --paper:#ffffff;
  --wash:#f5f6f7; --accent:#0072b2; --warn:#b35a00; }
@media screen and (prefers-color-scheme: dark) { :root { --ink:#e8e8e8; --muted:#a8a8a8;
  --line:#3a3d42; --paper:#1b1d21; --wash:#25282d; --accent:#4fa8e0; --warn:#f0b840; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 24px 20px 64px; max-width: 1040px; background: var(--paper);
  color: var(--ink); font: 15px/1.5 system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', Arial,
  sans-serif; }
h1 { font-size: 26px; line-height: 1.25; margin: 0; }
h2 { font-size: 19px; margin: 40px 0 8px; padding-top: 8px; border-top: 1px solid var(--line); }
h3 { font-size: 15px; margin: 22px 0 4px; }
p { margin: 6px 0 12px; max-width: 76ch; }
p.subtitle { color: var(--muted); margin: 4px 0 16px; }
nav { display: flex; flex-wrap: wrap; gap: 4px 16px; margin: 16px 0 0; font-size: 14px; }
a { color: var(--accent); text-decoration: none; }
a:hover { text-decoration: underline; }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(130px, 1fr)); gap: 10px; }
.card { background: var(--wash); border-radius: 6px; padding: 10px 12px; }
.card b { display: block; font-size: 21px; font-weight: 600; line-height: 1.3; }
.card span { color: var(--muted); font-size: 13px; }
.note { border-left: 4px solid var(--warn); background: var(--wash); padding: 8px 12px;
  margin: 12px 0; max-width: 90ch; }
.scroll { overflow-x: auto; margin: 8px 0 16px; }
table { border-collapse: collapse; font-size: 13px; font-variant-numeric: tabular-nums; }
th { text-align: left; font-weight: 600; border-bottom: 2px solid var(--line);
  padding: 4px 14px 4px 0; vertical-align: bottom; }
table.sortable th { cursor: pointer; }
th[aria-sort=ascending]::after { content: ' \25B4'; }
th[aria-sort=descending]::after { content: ' \25BE'; }
td { padding: 3px 14px 3px 0; border-bottom: 1px solid var(--line); vertical-align: top; }
th.number, td.number { text-align: right; white-space: nowrap; }
th.number { white-space: normal; }
td.code, code, pre { font-family: ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace;
  font-size: 12px; }
td.code { overflow-wrap: break-word; min-width: 20ch; }
td pre { margin: 0; white-space: pre-wrap; }
pre { background: var(--wash); padding: 8px 10px; border-radius: 4px; white-space: pre-wrap;
  overflow-wrap: anywhere; margin: 6px 0 12px; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 2px 18px; margin: 8px 0 14px; }
dt { color: var(--muted); }
dd { margin: 0; overflow-wrap: anywhere; }
details { margin: 8px 0; }
summary { cursor: pointer; color: var(--accent); }
figure { margin: 8px 0 18px; }
figcaption { color: var(--muted); font-size: 13px; max-width: 90ch; }
.multiples { display: grid; grid-template-columns: repeat(auto-fill, minmax(300px, 1fr));
  gap: 8px 14px; }
.multiples figure { margin: 0; }
svg { width: 100%; height: auto; display: block; font-family: inherit; }
svg .title { font-weight: 600; }
summary { overflow-wrap: anywhere; }
footer { color: var(--muted); font-size: 13px; margin-top: 48px; }
@media print { body { max-width: none; padding: 0; font-size: 11px; } nav { display: none; }
  figure, tr, .card { break-inside: avoid; } h2 { break-after: avoid; }
  .scroll { overflow: visible; }
  pre { border: 1px solid var(--line); } }
)css";

inline constexpr std::string_view kPageScript = R"js(
document.querySelectorAll('table.sortable th').forEach(function (th) {
  th.addEventListener('click', function () {
    var table = th.closest('table'), body = table.tBodies[0];
    var column = Array.prototype.indexOf.call(th.parentNode.children, th);
    var down = th.getAttribute('aria-sort') === 'ascending' ? -1 : 1;
    table.querySelectorAll('th').forEach(function (other) { other.removeAttribute('aria-sort'); });
    th.setAttribute('aria-sort', down === 1 ? 'ascending' : 'descending');
    var key = function (row) {
      var cell = row.children[column], value = cell.getAttribute('data-value');
      return value === null ? cell.textContent : parseFloat(value);
    };
    Array.from(body.rows).sort(function (a, b) {
      var x = key(a), y = key(b);
      if (typeof x !== typeof y) { return typeof x === 'number' ? -1 : 1; }
      return down * (typeof x === 'number' ? x - y : x.localeCompare(y));
    }).forEach(function (row) { body.appendChild(row); });
  });
});
)js";

}  // namespace dovetail
