/** Goal: an answer goes to a registered address and to no other, whatever it looks like. */
import { expect, test } from "bun:test";
import {
  answeredAt,
  isOnThisDevice,
  isRedirectUri,
  isSameRedirectUri,
  placeOf,
  policySource,
} from "./redirect-uris.ts";

test("https, loopback and schemes of apps may be registered", () => {
  for (const uri of [
    ...["https://claude.ai/api/mcp/auth_callback", "https://a.example:8443/x?y=1&z=%22"],
    ...["https://a.example", "https://[2001:db8::1]/cb", "http://localhost:6274/cb"],
    ...["http://127.0.0.1/cb", "http://[::1]:9/cb?x", "cursor://anysphere.cursor/callback"],
    ...["com.example.app:/cb", "vscode://vscode.github-authentication/did-authenticate"],
  ]) {
    expect({ uri, isFine: isRedirectUri(uri) }).toEqual({ uri, isFine: true });
  }
});

test("nothing else may be: scripts, files, plain http, names of users, fragments, wild cards", () => {
  for (const uri of [
    ...["javascript:alert(1)", "JavaScript:alert(1)", "data:text/html,x", "blob:https://a/x"],
    ...["file:///etc/passwd", "vbscript:x", "view-source:https://a/", "about:blank", "urn:ietf:x"],
    ...["chrome://settings", "moz-extension://x/y", "ms-msdt:/id", "search-ms:query=x", "intent:x"],
    ...["mailto:a@b.example", "ws://a.example/", "ftp://a.example/", "smb://a/b"],
    ...["http://a.example/cb", "http://localhost.a.example/", "http://127.0.0.1.a.example/"],
    ...["http://127.0.0.1:80@a.example/", "http://127.0.0.2/cb", "HTTP://localhost/"],
    ...["https://a@b.example/", "https://a:b@c.example/", "https:a.example", "https:///a.example"],
    ...["https://a.example/#f", "https://a.example#", "http://localhost/#f", "app:/cb#f"],
    ...["https://*.a.example/", "https://a.example\\@b.example/", "https://a.example/ b"],
    ...[
      'app:/"><img>',
      "https://a.example/\u00e9",
      "https://a.example/\n",
      "https://",
      "https://?x",
    ],
    ...["", "/cb", "//a.example/cb", "a.example/cb", `https://a.example/${"x".repeat(2_000)}`],
  ]) {
    expect({ uri, isFine: isRedirectUri(uri) }).toEqual({ uri, isFine: false });
  }
});

test("addresses are equal as texts; of loopback only the port does not count", () => {
  const registered = "https://a.example/cb";
  expect(isSameRedirectUri(registered, registered)).toBeTrue();
  for (const sent of [
    ...["https://a.example/cb/", "https://a.example/cb?x", "https://a.example:443/cb"],
    ...["https://A.example/cb", "https://a.example/c%62", "https://a.example/x/../cb"],
    ...["http://a.example/cb", "https://a.example.evil.example/cb", "https://a.example/CB"],
  ]) {
    expect({ sent, isSame: isSameRedirectUri(registered, sent) }).toEqual({ sent, isSame: false });
  }
  const local = "http://127.0.0.1:1000/cb";
  for (const [sent, isSame] of [
    ...[["http://127.0.0.1:2000/cb", true] as const, ["http://127.0.0.1/cb", true] as const],
    ...[["http://localhost:1000/cb", false] as const, ["http://[::1]:1000/cb", false] as const],
    ...[["http://127.0.0.1:1000/x", false] as const, ["https://127.0.0.1:1000/cb", false] as const],
    ...[["http://127.0.0.1:2000@evil.example/cb", false] as const],
    ...[
      ["http://127.0.0.1:99999/cb", false] as const,
      ["http://127.0.0.1:65535/cb", true] as const,
    ],
    ...[["http://127.0.0.1:123456/cb", false] as const, ["http://127.0.0.1:/cb", false] as const],
  ]) {
    expect({ sent, isSame: isSameRedirectUri(local, sent) }).toEqual({ sent, isSame });
  }
});

test("an answer is added to the parameters that the address has", () => {
  const answer = { code: "a b", state: "&=å" };
  expect(answeredAt("https://a.example/cb", answer)).toBe(
    "https://a.example/cb?code=a+b&state=%26%3D%C3%A5",
  );
  expect(answeredAt("app:/cb?x=1", { code: "c" })).toBe("app:/cb?x=1&code=c");
});

test("a policy names the origin, or the scheme where a source has no place for the host", () => {
  for (const [uri, source, place, isLocal] of [
    ["https://a.example:8443/cb?x", "https://a.example:8443", "a.example:8443", false],
    ["http://localhost:6274/cb", "http://localhost:6274", "localhost:6274", true],
    ["http://[::1]:9/cb", "http:", "[::1]:9", true],
    ["cursor://x/y", "cursor:", "cursor:", true],
  ] as const) {
    expect([policySource(uri), placeOf(uri), isOnThisDevice(uri)]).toEqual([
      ...[source, place, isLocal],
    ]);
  }
});
