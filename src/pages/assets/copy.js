// A button at every block of code that copies it. The block stays what and where it is: the button
// lies in room that the style keeps at its right in any case. Without this script there is none.
const SHOWN_MS = 2000;

const told = document.createElement("p");
told.className = "told-only";
told.setAttribute("role", "status");
document.body.append(told);

/** Marks the text of a block, for who copies by hand or by what came before the clipboard. */
function mark(block) {
  const range = document.createRange();
  range.selectNodeContents(block);
  const selection = getSelection();
  selection.removeAllRanges();
  selection.addRange(range);
}

/** Whether the text is in the clipboard, which is there at `https:` and on this computer alone. */
async function copied(block) {
  try {
    await navigator.clipboard.writeText(block.textContent.trimEnd());
    return true;
  } catch {
    mark(block);
    return document.execCommand("copy");
  }
}

function buttonOf(block) {
  const button = document.createElement("button");
  let timer;
  button.type = "button";
  button.className = "copy";
  button.textContent = "Copy";
  button.addEventListener("click", async () => {
    const isCopied = await copied(block);
    button.textContent = isCopied ? "Copied" : "Marked";
    told.textContent = isCopied ? "Copied." : "The text is marked: copy it with your keyboard.";
    clearTimeout(timer);
    timer = setTimeout(() => {
      button.textContent = "Copy";
      told.textContent = "";
    }, SHOWN_MS);
  });
  return button;
}

for (const block of document.querySelectorAll("pre")) {
  const place = document.createElement("div");
  place.className = "code";
  block.replaceWith(place);
  place.append(block, buttonOf(block));
}
