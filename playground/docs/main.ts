// Shows the server's own description of its REST endpoints, and lets one try them.
import SwaggerUI, { type Plugin } from "swagger-ui-dist/swagger-ui-es-bundle.js";
import "swagger-ui-dist/swagger-ui.css";
import licence from "swagger-ui-dist/LICENSE?url";
import notices from "swagger-ui-dist/swagger-ui-es-bundle.js.LICENSE.txt?url";
import "./docs.css";

/** Where the application keeps the color scheme that was chosen there: `light`, `dark`, or `auto`. */
const CHOSEN = "mantine-color-scheme-value";

/** Swagger UI has a dark face, and leaves it to the page when to show it: as chosen, or else as the system does. */
function followColorScheme(): void {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const show = () => {
    const chosen = colorScheme();
    const isDark = chosen === "dark" || (chosen !== "light" && system.matches);
    const root = document.documentElement;
    root.classList.toggle("dark-mode", isDark);
    root.style.colorScheme = isDark ? "dark" : "light";
  };
  system.addEventListener("change", show);
  // It may be chosen in another tab.
  addEventListener("storage", ({ key }) => {
    if (key === CHOSEN || key === null) show();
  });
  show();
}

/** Browsers may refuse to open their storage. */
function colorScheme(): string | null {
  try {
    return localStorage.getItem(CHOSEN);
  } catch {
    return null;
  }
}

/** Swagger UI looks for a field of its own for each format in a list, and complains that ids have none. */
const ids: Plugin = (system) => ({
  components: {
    // biome-ignore lint/correctness/noComponentHookFactories: a plug-in is given React by Swagger UI, once.
    JsonSchema_string_uuid: (props) =>
      system.React.createElement(system.getSystem().getComponent("JsonSchema_string"), props),
  },
});

followColorScheme();
document.querySelector("#licence")?.setAttribute("href", licence);
document.querySelector("#notices")?.setAttribute("href", notices);

SwaggerUI({
  dom_id: "#reader",
  url: "/openapi.json",
  // It would ask another server whether the document is valid.
  validatorUrl: null,
  // A key that was entered is forgotten with the page, and is in no storage of the browser.
  persistAuthorization: false,
  deepLinking: true,
  displayRequestDuration: true,
  filter: true,
  plugins: [ids],
});
