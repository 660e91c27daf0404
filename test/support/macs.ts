/** MACs under a secret of the tests. */
import { MessageMacs } from "../../jobs/redis/message-macs.ts";
import { KeyVersions } from "../../src/access/privacy/key-versions.ts";

/** Those of one installation; another `fill` is another installation's secret. */
export function macsOf(fill = 1): MessageMacs {
  const key = new Uint8Array(32).fill(fill);
  return new MessageMacs(new KeyVersions([{ kid: "quote-v1", key, from_ms: 0 }]), () => {});
}
