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
