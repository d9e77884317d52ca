"use strict";

// Without this script the field stays hidden: everything else on the page works without one.
const field = document.getElementById("query");
const found = document.getElementById("found");
const MOST = 12;
const WEIGHTS = { heading: 8, title: 4, text: 1 };

let loading = null;

/** The sections of the guide with the words of each part; loaded when somebody searches. */
function sections() {
  loading ??= fetch("search.json")
    .then((answer) => answer.json())
    .then((entries) => entries.map((entry) => ({ ...entry, words: wordsOf(entry) })))
    .catch((error) => {
      loading = null;
      throw error;
    });
  return loading;
}

function wordsOf(entry) {
  return Object.fromEntries(Object.keys(WEIGHTS).map((part) => [part, split(entry[part])]));
}

function split(text) {
  return text.toLowerCase().match(/[\p{L}\p{N}$_]+/gu) ?? [];
}

/**
 * How well a section fits: every word of the query must begin a word of it; a whole word counts
 * twice, and the query as a phrase counts most. Operators are also found without their dollar sign.
 */
function score(section, query, phrase) {
  let sum = 0;
  for (const [part, weight] of Object.entries(WEIGHTS)) {
    if (query.length > 1 && section[part].toLowerCase().includes(phrase)) {
      sum += 20 * weight;
    }
  }
  for (const word of query) {
    let best = 0;
    for (const [part, weight] of Object.entries(WEIGHTS)) {
      const begun = section.words[part].filter(
        (candidate) => candidate.startsWith(word) || candidate.startsWith(`$${word}`),
      );
      if (begun.length > 0) {
        const whole = begun.includes(word) ? 2 : 1;
        // Many mentions count a little more than one.
        best += weight * whole + Math.min(begun.length, 5) / 10;
      }
    }
    if (best === 0) {
      return 0;
    }
    sum += best;
  }
  return sum;
}

/** The part of a text around the first word of the query. */
function excerpt(text, query) {
  const at = text.toLowerCase().search(new RegExp(`(?<![\\p{L}\\p{N}$_])${escape(query[0])}`, "u"));
  const start = Math.max(0, text.lastIndexOf(" ", Math.max(0, at - 40)) + 1);
  const part = text.slice(start, start + 140);
  return (start > 0 ? "…" : "") + part + (start + 140 < text.length ? "…" : "");
}

function escape(word) {
  return word.replace(/[$]/g, "\\$&");
}

function item(section, query) {
  const link = document.createElement("a");
  link.href = section.page + (section.heading === section.title ? "" : `#${section.anchor}`);
  const heading = document.createElement("strong");
  heading.textContent = section.heading;
  link.append(heading);
  if (section.heading !== section.title) {
    link.append(` in ${section.title}`);
  }
  const text = document.createElement("span");
  text.textContent = excerpt(section.text, query);
  link.append(text);
  return link;
}

function message(text) {
  const paragraph = document.createElement("p");
  paragraph.textContent = text;
  return paragraph;
}

async function search() {
  const asked = field.value;
  const query = split(asked);
  if (query.length === 0) {
    found.hidden = true;
    return;
  }
  let shown;
  try {
    const ranked = (await sections())
      .map((section) => ({ section, score: score(section, query, asked.trim().toLowerCase()) }))
      .filter((hit) => hit.score > 0)
      .sort((left, right) => right.score - left.score)
      .slice(0, MOST);
    shown = ranked.map((hit) => item(hit.section, query));
  } catch {
    shown = [message("The search index cannot be loaded.")];
  }
  // Somebody may have typed on meanwhile.
  if (field.value === asked) {
    found.replaceChildren(...(shown.length > 0 ? shown : [message(`Nothing matches “${asked}”.`)]));
    found.hidden = false;
  }
}

/** Arrows move between the field and the results; Escape closes them. */
function move(event) {
  if (event.key === "Escape") {
    found.hidden = true;
    field.focus();
    return;
  }
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step || found.hidden) {
    return;
  }
  event.preventDefault();
  const stops = [field, ...found.querySelectorAll("a")];
  const at = stops.indexOf(document.activeElement);
  stops[Math.min(Math.max(at + step, 0), stops.length - 1)].focus();
}

const box = field.parentElement;
box.hidden = false;
box.addEventListener("keydown", move);
field.addEventListener("input", search);
field.addEventListener("keydown", (event) => {
  if (event.key === "Enter") {
    found.querySelector("a")?.click();
  }
});
document.addEventListener("click", (event) => {
  if (!box.contains(event.target)) {
    found.hidden = true;
  }
});
document.addEventListener("keydown", (event) => {
  if (event.key === "/" && document.activeElement === document.body) {
    event.preventDefault();
    field.focus();
  }
});
