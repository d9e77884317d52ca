export const clean = {
  open: "Clean objects",
  title: (type: string) => `Clean the objects of ${type}?`,
  unclean: (count: number, shown: string) =>
    count === 1
      ? "1 object has other fields than this type."
      : `${shown} objects have other fields than this type.`,
  found: (count: number, shown: string) =>
    count === 1
      ? "1 object has other fields than its type, and gets those of the type."
      : `${shown} objects have other fields than their type, and get those of the type.`,
  nothing: "All objects have the fields of their type.",
  lookedAt: (count: string) => `The numbers below are those of the first ${count} objects.`,
  removed: "Fields that go",
  added: "Fields that come",
  lost: (count: number, shown: string, example: string) =>
    count === 1 ? `1 with the value “${example}”` : `${shown} with values such as “${example}”`,
  noUndo: (most: string) => `More than ${most} changes cannot be taken back together.`,
  run: "Clean",
  done: (count: number, shown: string) =>
    count === 1 ? "1 object was cleaned." : `${shown} objects were cleaned.`,
};
