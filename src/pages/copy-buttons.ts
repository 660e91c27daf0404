/** Buttons that copy blocks of code. The blocks are whole without: the script only adds to them. */
import { assetUrl } from "./assets.ts";

/** What the policy of such a page lets in besides. */
export const COPY_POLICY = "script-src 'self'";

/** For the head of the page; `root` as `rootPath` gives it. */
export async function copyButtons(root: string): Promise<string> {
  return `<script src="${await assetUrl("copy.js", root)}" defer></script>`;
}
