/* Forms that make a passkey or show one: `data-passkey` says which, `data-options` what for. */
const bytesOf = (text) =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
const textOf = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

async function made({ challenge, party, person, known }) {
  const { id, response } = await navigator.credentials.create({
    publicKey: {
      challenge: new TextEncoder().encode(challenge),
      rp: { id: party, name: "Innkeep" },
      user: {
        id: new TextEncoder().encode(person.id),
        name: person.name,
        displayName: person.name,
      },
      pubKeyCredParams: [
        { type: "public-key", alg: -7 },
        { type: "public-key", alg: -257 },
      ],
      excludeCredentials: known.map((each) => ({ type: "public-key", id: bytesOf(each) })),
      authenticatorSelection: { residentKey: "required", userVerification: "required" },
      attestation: "none",
    },
  });
  return {
    id,
    client_data: textOf(response.clientDataJSON),
    authenticator_data: textOf(response.getAuthenticatorData()),
    public_key: textOf(response.getPublicKey()),
  };
}

async function shown({ challenge, party, known }) {
  const { id, response } = await navigator.credentials.get({
    publicKey: {
      challenge: new TextEncoder().encode(challenge),
      rpId: party,
      allowCredentials: known.map((each) => ({ type: "public-key", id: bytesOf(each) })),
      userVerification: "required",
    },
  });
  return {
    id,
    client_data: textOf(response.clientDataJSON),
    authenticator_data: textOf(response.authenticatorData),
    signature: textOf(response.signature),
  };
}

for (const form of document.querySelectorAll("form[data-passkey]")) {
  if (!window.PublicKeyCredential) continue;
  form.hidden = false;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const [ask, done] = form.dataset.passkey === "create" ? [made, "made"] : [shown, "shown"];
    try {
      const answer = await ask(JSON.parse(form.dataset.options));
      form.elements.namedItem("passkey").value = JSON.stringify(answer);
      form.submit();
    } catch {
      form.querySelector("[role=alert]").textContent = `No passkey was ${done}. Try again.`;
    }
  });
}
