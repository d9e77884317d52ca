export const search = {
  title: "Search",
  hint: "Words, parts of words and identifiers, “exact phrases”, type:server, field:value. All of them must be found.",
  nothing: "Nothing found. Leave out a word, or write less of it.",
  count: (count: number, text: string, isMore: boolean) =>
    count === 1 ? `${text} result` : `${text}${isMore ? " or more" : ""} results`,
};
