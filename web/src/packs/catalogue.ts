/** The starter packs. Each one is read when somebody wants it. */
import { type Pack, readPack } from "~/model/pack";

const FILES = {
  "data-centre": () => import("./data-centre.json"),
  "office-it": () => import("./office-it.json"),
  network: () => import("./network.json"),
  "software-licences": () => import("./software-licences.json"),
  facilities: () => import("./facilities.json"),
};

export type PackName = keyof typeof FILES;

export const PACKS: readonly { name: PackName; icon: string }[] = [
  { name: "data-centre", icon: "fas fa-server" },
  { name: "office-it", icon: "fas fa-laptop" },
  { name: "network", icon: "fas fa-network-wired" },
  { name: "software-licences", icon: "fas fa-key" },
  { name: "facilities", icon: "fas fa-building" },
];

export async function packNamed(name: PackName): Promise<Pack> {
  const read = readPack((await FILES[name]()).default);
  if (read.is !== "read") throw new Error(`${name} is no pack`);
  return read.value;
}
