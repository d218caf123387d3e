import { render } from "preact";
import { App } from "./app";
import "./style/page.css";
import "./style/board.css";
import "./style/panel.css";

const page = document.getElementById("page");
if (page) {
  // The service answers where the page came from.
  const app = new App(new URL(".", location.href).href, () => render(app.view(), page));
  page.replaceChildren();
  app.start();
}
