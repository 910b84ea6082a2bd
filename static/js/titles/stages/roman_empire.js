// The board of the Roman Empire as the stage of a film.

import { View } from "../../conquest_view.js";

const NEAR = 0.46;
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

  // On a narrow screen, zoom in until the board is readable.
  async glide(places, film) {
    await super.glide(places, film);
    const spot = this.spaces[[...places][0]];
    if (spot && this.width < 640 && this.at.s < NEAR) await this.look(spot.x, spot.y, NEAR, !film.skipped);
  }

  begin() {
    this.restore();
  }

  restore() {
    this.draw(standing(this.data.lands), [], structuredClone(this.data.groups));
  }
}

export const open = (root, doc) => new Stage(root, doc);
