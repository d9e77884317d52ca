/** Whether the keyboard has a Cmd key. */
export const isApple = /Mac|iPhone|iPad/.test(globalThis.navigator?.userAgent ?? "");
