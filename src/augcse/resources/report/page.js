"use strict";
// Says the sentence of the nearest point of a map, in every map of its group, and joins an edited sentence to its original.
for (const group of document.querySelectorAll("[data-map]")) {
  const told = group.querySelector(".told");
  const maps = [...group.querySelectorAll("svg")];
  const points = maps.map((map) => [...map.querySelectorAll("circle")]);
  const place = (point) => [point.cx.baseVal.value, point.cy.baseVal.value];

  const show = (index) => {
    points.forEach((circles, number) => {
      for (const circle of circles) circle.classList.remove("on");
      const point = circles[index];
      const from = circles.find((circle) => circle.dataset.row === point.dataset.row);
      point.classList.add("on");
      from.classList.add("on");
      const line = maps[number].querySelector("line");
      [["x1", "y1"], ["x2", "y2"]].forEach((names, end) => place(end ? point : from).forEach((value, axis) => line.setAttribute(names[axis], value)));
    });
    told.textContent = points[0][index].querySelector("title").textContent;
  };

  const nearest = (map, circles, event) => {
    const box = map.getBoundingClientRect();
    const scale = map.viewBox.baseVal.width / box.width;
    const [x, y] = [(event.clientX - box.left) * scale, (event.clientY - box.top) * scale];
    const distances = circles.map((circle) => Math.hypot(...place(circle).map((value, axis) => value - [x, y][axis])));
    return distances.indexOf(Math.min(...distances));
  };

  maps.forEach((map, number) => {
    const follow = (event) => show(nearest(map, points[number], event));
    map.addEventListener("pointermove", follow);
    map.addEventListener("pointerdown", follow);
  });
}
