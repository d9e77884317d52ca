export const clean = {
  open: "Clean up objects",
  title: (type: string) => `Clean up the objects of ${type}?`,
  unclean: (count: number, shown: string) =>
    count === 1 ? "1 object does not match this type." : `${shown} objects do not match this type.`,
  found: (count: number, shown: string) =>
    count === 1
      ? "1 object does not match its type. It gets exactly the fields of the type."
      : `${shown} objects do not match their type. They get exactly the fields of the type.`,
  nothing: "All objects match their type.",
  lookedAt: (count: string) => `The numbers below cover only the first ${count} objects.`,
  removed: "Fields to remove",
  added: "Fields to add",
  lost: (count: number, shown: string, example: string) =>
    count === 1 ? `1 with the value “${example}”` : `${shown} with values such as “${example}”`,
  noUndo: (most: string) => `You cannot undo this: at most ${most} changes can be undone at once.`,
  run: "Clean up objects",
  done: (count: number, shown: string) =>
    count === 1 ? "1 object was cleaned up." : `${shown} objects were cleaned up.`,
};
