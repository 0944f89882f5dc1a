/* Where the page starts. */

import { mount } from "svelte";
import App from "./App.svelte";
import { applyTheme } from "./shell/theme";
import "./theme.css";

applyTheme();
mount(App, { target: document.getElementById("app") ?? document.body });
