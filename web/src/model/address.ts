/** The longest one, of IPv6 with a part of IPv4 and a prefix, has 49 letters. */
const MOST_LETTERS = 49;
const MAC = /^([0-9a-f]{2}[:-]){5}[0-9a-f]{2}$/i;
const IPV4 = /^(\d{1,3}\.){3}\d{1,3}(\/\d{1,2})?$/;
/** Each letter is looked at twice at most. */
const IPV6 = /^(?=[0-9a-f:]*::)[0-9a-f:./]+$/i;

/** Whether a text looks like an address of a network or a device. */
export function isAddress(text: string): boolean {
  if (text.length > MOST_LETTERS) return false;
  return MAC.test(text) || IPV4.test(text) || IPV6.test(text);
}
