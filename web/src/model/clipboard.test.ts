import { expect, test } from "vitest";
import { fromClipboard, toClipboard } from "./clipboard";

test.each<[string, string, string[][]]>([
  [
    "cells and rows",
    "a\tb\nc\td",
    [
      ["a", "b"],
      ["c", "d"],
    ],
  ],
  ["the line end that spreadsheets add", "a\tb\r\n", [["a", "b"]]],
  [
    "empty cells",
    "\t\nx\t",
    [
      ["", ""],
      ["x", ""],
    ],
  ],
  ["quotes, tabs and lines in a cell", '"a ""b""\tc\nd"\te', [['a "b"\tc\nd', "e"]]],
  ["a quote inside of a cell", '19" rack', [['19" rack']]],
])("reads %s", (_, text, cells) => {
  expect(fromClipboard(text)).toEqual(cells);
});

test("what is copied is pasted unchanged", () => {
  const cells = [
    ['a "b"', "c\td"],
    ["e\nf", ""],
  ];
  expect(fromClipboard(toClipboard(cells))).toEqual(cells);
});

test.each([
  ['"Alpha" server\tx', [['"Alpha" server', "x"]]],
  ['"Alpha\nB\nC\n', [['"Alpha'], ["B"], ["C"]]],
  ['"a\tb"\t""\n', [["a\tb", ""]]],
  ['"\t"x" y\n', [['"', '"x" y']]],
])("quotes that end within a cell are its own: %j", (text, cells) => {
  expect(fromClipboard(text)).toEqual(cells);
});
