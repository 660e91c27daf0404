/** One server of several has the same URL as the others, except for its host. */

const FORM = /^([a-z+]+:\/\/)([^@/?#\s]*@)?([^@/?#\s]+)(\/[^#\s]*)$/;

/**
 * The URL of each host of `scheme://user:password@a:1,b:2/path?query`, in their order; none when
 * it is not of this form.
 */
export function urlPerHost(text: string): readonly URL[] {
  const [, scheme, user = "", hosts = "", rest] = FORM.exec(text) ?? [];
  if (scheme === undefined) return [];
  const urls = hosts.split(",").map((host) => URL.parse(`${scheme}${user}${host}${rest}`));
  return urls.every((url) => url?.hostname) ? (urls as URL[]) : [];
}
