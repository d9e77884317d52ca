export const search = {
  title: "Search",
  hint: "Words, parts of words and identifiers, “exact phrases”, type:server, field:value. Results match all of them.",
  nothing: "No results. Remove a word or shorten it.",
  count: (count: number, text: string, isMore: boolean) =>
    count === 1 ? `${text} result` : `${text}${isMore ? " or more" : ""} results`,
};
