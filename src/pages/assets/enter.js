/* Sends the code of a one-time link. It is in the fragment, which browsers do not send. */
const code = location.hash.slice(1);
if (code !== "") {
  // Not in the history of the browser.
  history.replaceState(null, "", location.pathname);
  const form = document.getElementById("enter");
  form.elements.code.value = code;
  form.requestSubmit();
}
