// Shows the OpenAPI document that the page names. Swagger UI is loaded before this file.
const place = document.getElementById("reference");

const darkness = matchMedia("(prefers-color-scheme: dark)");
const follow = () => document.documentElement.classList.toggle("dark-mode", darkness.matches);
darkness.addEventListener("change", follow);
follow();

window.SwaggerUIBundle({
  url: place.dataset.url,
  domNode: place,
  deepLinking: true,
  displayOperationId: true,
  displayRequestDuration: true,
  docExpansion: "list",
  defaultModelsExpandDepth: 0,
  defaultModelExpandDepth: 3,
  filter: true,
  requestSnippetsEnabled: true,
  // The default asks a server elsewhere about every document.
  validatorUrl: null,
});
