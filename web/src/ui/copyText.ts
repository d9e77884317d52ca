/** Copies by the selection, because pages without HTTPS have no clipboard of their own. */
export function copyText(text: string) {
  const copy = (event: ClipboardEvent) => {
    event.clipboardData?.setData("text/plain", text);
    event.preventDefault();
  };
  document.addEventListener("copy", copy, { once: true });
  document.execCommand("copy");
}
