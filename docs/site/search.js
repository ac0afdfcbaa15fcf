// Finds words in the pages and names in the code, and lists them: search.html calls searchFor.

const escaped = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");
const mostParts = 40;
const mostSymbols = 40;

// The index of the parts of pages. A headline counts more than the text below it.
const pageIndex = lunr(function () {
  this.ref("number");
  this.field("title", { boost: 8 });
  this.field("page", { boost: 3 });
  this.field("text");
  // Names such as __syncthreads and cudaMemcpy are words as they stand, and are found by their pieces, too.
  this.tokenizer = (text) => lunr.tokenizer(String(text ?? "").replace(/[^\w.\-]+|_+|[.\-](?!\w)/g, " "));
  this.metadataWhitelist = ["position"];
  searched.parts.forEach((part, number) => this.add({ number, ...part }));
});

// The parts in which all words stand, the best first; if there are none, those with any.
function findParts(words) {
  const query = (presence) => pageIndex.query((query) => {
    words.forEach((word, place) => {
      const last = place === words.length - 1;
      query.term(lunr.stemmer(new lunr.Token(word)).toString(), { presence, usePipeline: false, boost: 4,
        wildcard: last && word.length > 2 ? lunr.Query.wildcard.TRAILING : lunr.Query.wildcard.NONE });
    });
  });
  const all = query(lunr.Query.presence.REQUIRED);
  return all.length ? all : query(lunr.Query.presence.OPTIONAL);
}

// The names that hold the query, those that are it or end in it first.
function findSymbols(text) {
  const wanted = text.toLowerCase().replace(/\s+/g, "_");
  const rank = (symbol) => {
    const name = symbol.name.toLowerCase().replace(/\(.*/s, "");
    const last = name.replace(/.*::/, "");
    return last === wanted ? 0 : last.startsWith(wanted) ? 1 : last.includes(wanted) ? 2 : name.includes(wanted) ? 3 : 4;
  };
  return searched.symbols.map((symbol) => [rank(symbol), symbol]).filter(([rank]) => rank < 4)
    .sort(([a], [b]) => a - b).map(([, symbol]) => symbol);
}

// A piece of the text around the first word that is found, with all words marked.
function excerpt(text, words) {
  const pattern = new RegExp(words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|"), "gi");
  const first = Math.max(text.search(pattern), 0);
  const begin = first < 80 ? 0 : text.indexOf(" ", first - 80) + 1;
  const stop = begin + 240 < text.length ? text.lastIndexOf(" ", begin + 240) : text.length;
  const piece = text.slice(begin, stop);
  let result = "", end = 0;
  for (const match of piece.matchAll(pattern)) {
    result += escaped(piece.slice(end, match.index)) + `<mark>${escaped(match[0])}</mark>`;
    end = match.index + match[0].length;
  }
  return (begin ? "... " : "") + result + escaped(piece.slice(end)) + (stop < text.length ? " ..." : "");
}

function searchFor(text) {
  const words = text.toLowerCase().split(/[^\p{L}\p{N}]+/u).filter((word) => word);
  const parts = words.length ? findParts(words).map((hit) => searched.parts[hit.ref]) : [];
  const symbols = words.length ? findSymbols(text) : [];
  const item = (url, headline, above, below) =>
    `<li><a href="${escaped(url)}">${escaped(headline)}</a> <span class="found_in">${escaped(above)}</span>` +
    (below ? `<div>${below}</div>` : "") + "</li>";
  const section = (title, list, most, show) => !list.length ? "" :
    `<h2>${title} with <q>${escaped(text)}</q> (${list.length > most ? `the first ${most} of ` : ""}${list.length})</h2>` +
    `<ul class="found">${list.slice(0, most).map(show).join("")}</ul>`;
  const lists =
    section("Pages", parts, mostParts,
      (part) => item(part.url, part.title, part.title === part.page ? "" : part.page, excerpt(part.text, words))) +
    section("Code", symbols, mostSymbols,
      (symbol) => item(symbol.url, symbol.name, symbol.kind, symbol.text && excerpt(symbol.text, words)));
  setTimeout(() => $("#MSearchField").val(text));  // The menu makes the field a moment later.
  document.getElementById("searchresults").innerHTML =
    lists || `<p>Nothing has the words <b>${escaped(text)}</b>. Fewer or shorter words find more.</p>`;
}
