/** Lets the browser save what is at an address. Without a name, the server's answer says it. */
export function download(url: string, name = "") {
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
}

/** Lets the browser save a JSON text as a file. */
export function downloadJson(name: string, text: string) {
  const url = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  download(url, name);
  URL.revokeObjectURL(url);
}
