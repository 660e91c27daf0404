/** What the routes of all pages for people have in common. */
import { Type } from "@sinclair/typebox";

/** Members of such a route. Programs find none of them in the API's documents. */
export const PERSON_PAGE = {
  access: "public",
  renderer: "private-page",
  isPage: true,
  description: "A page for people.",
  success: {
    status: 200,
    description: "The page.",
    body: Type.String(),
    contentType: "text/html",
  },
  errors: [],
} as const;
