/** What is dragged: a field by its key, or a new one by the name of its kind. */
export const FIELD = "application/x-stockroom-field";
export const KIND = "application/x-stockroom-kind";
