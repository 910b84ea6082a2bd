// The board of the Roman Empire as a film's stage.

import { View } from "../conquest_view.js";

const standing = (lands) => ({
  wars: {},
  lands: Object.fromEntries(Object.entries(lands).map(([key, [who, n, city, fort, level]]) => [key, { who, n, city, fort, level, fresh: 0 }])),
});

export class Stage extends View {
  constructor(root, doc) {
    root.querySelector(".map").classList.add("map--empire");
    super(root.querySelector(".play-stage"), () => {});
    this.read(doc);
    this.restore();
  }

  begin() {
    this.restore();
  }

  restore() {
    this.draw(standing(this.data.lands), [], structuredClone(this.data.groups));
  }
}

export const open = (root, doc) => new Stage(root, doc);
