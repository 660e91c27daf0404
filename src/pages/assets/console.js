/* Renews the parts of a page that something happened to, and says whether they are current. A part
   names the kinds of events that it shows in `data-live`: beginnings of kinds, or `*`. One with
   `data-waiting` shows something that ends without an event, and is asked for again until then. */
(() => {
  const { stream: address } = document.body.dataset;
  const status = document.getElementById("live");
  const parts = () => [...document.querySelectorAll("[data-live]")];
  /** Events of one action arrive together; a page is asked for once a second at most. */
  const renewEveryMs = 1000;
  /** Longer each time: what is expected may be hours away. */
  let waitMs = 1000;
  const waitMsMax = 15_000;
  let lastSeq = document.body.dataset.seq;
  let source = null;
  let timer = null;
  let waiting = null;
  let isRenewing = false;
  let isStale = false;

  function say(state, words) {
    status.hidden = false;
    if (status.dataset.state === state) return;
    status.dataset.state = state;
    status.textContent = words;
  }

  function isShown(kind) {
    return parts().some(({ dataset }) => {
      return dataset.live.split(" ").some((start) => start === "*" || kind.startsWith(start));
    });
  }

  const MORPH = {
    ignoreActiveValue: true,
    restoreFocus: true,
    callbacks: {
      /** What the reader has unfolded stays so. */
      beforeAttributeUpdated: (name, { localName }) => name !== "open" || localName !== "details",
    },
  };

  async function renew() {
    timer = null;
    if (isRenewing) {
      isStale = true;
      return;
    }
    isRenewing = true;
    isStale = false;
    try {
      const headers = { accept: "text/html", "innkeep-renewal": "1" };
      const answer = await fetch(location.href, { headers });
      if (new URL(answer.url).pathname !== location.pathname) return location.assign(answer.url);
      if (!answer.ok) throw new Error(answer.status);
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      for (const part of parts()) {
        const next = page.getElementById(part.id);
        if (next) Idiomorph.morph(part, next, MORPH);
      }
    } catch {
      say("stopped", "not current: reload the page");
    } finally {
      isRenewing = false;
      if (isStale) later();
      wait();
    }
  }

  function wait() {
    if (document.hidden || !document.querySelector("[data-waiting]")) return;
    clearTimeout(waiting);
    waiting = setTimeout(later, waitMs);
    waitMs = Math.min(waitMs * 1.5, waitMsMax);
  }

  function later() {
    if (timer === null) timer = setTimeout(renew, renewEveryMs);
  }

  function connect() {
    if (source || document.hidden) return;
    const missed = source === null && status.dataset.state === "paused";
    source = new EventSource(`${address}?after_seq=${lastSeq}`);
    source.onopen = () => say("live", "live");
    source.onmessage = ({ lastEventId, data }) => {
      lastSeq = lastEventId;
      if (isShown(data)) later();
    };
    source.addEventListener("engine", ({ data }) => {
      if (data === "down") say("stopped", "stopped: the engine does not answer");
      else say("live", "live");
    });
    source.onerror = () => {
      if (source?.readyState === EventSource.CLOSED) {
        say("stopped", "not current: reload the page");
      } else say("waiting", "connecting");
    };
    if (missed) later();
  }

  /** A hidden page gives its connection back: a browser has six of them for a host. */
  function disconnect() {
    source?.close();
    source = null;
    say("paused", "paused");
  }

  if (parts().length > 0) {
    document.addEventListener("visibilitychange", () => {
      if (document.hidden) disconnect();
      else {
        connect();
        wait();
      }
    });
    addEventListener("pagehide", disconnect);
    addEventListener("pageshow", connect);
    connect();
    wait();
  }

  /** A file is read into the text of its form, where it can be looked at. */
  for (const input of document.querySelectorAll("[data-reads-into]")) {
    input.closest("[data-needs-script]").hidden = false;
    input.addEventListener("change", async () => {
      const [file] = input.files;
      if (file) document.getElementById(input.dataset.readsInto).value = await file.text();
    });
  }

  /** Back to a form as it was filled in; without script the link leads to an empty one. */
  for (const link of document.querySelectorAll("[data-goes-back]")) {
    link.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      history.back();
    });
  }

  /** Links of the navigation name their key. */
  const placeOf = (key) => document.querySelector(`.rail [data-key="${CSS.escape(key)}"]`);
  let isGoing = false;
  addEventListener("keydown", (event) => {
    const { key, target, ctrlKey, metaKey, altKey } = event;
    if (ctrlKey || metaKey || altKey || target.closest("input, select, textarea")) return;
    if (isGoing) placeOf(key)?.click();
    isGoing = key === "g";
    if (key === "/") {
      event.preventDefault();
      const box = document.getElementById("search");
      if (box) box.focus();
      else placeOf("b").click();
    }
  });
})();
