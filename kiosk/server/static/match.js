// A match for spectators: its table from the feed, its games fetched anew whenever the server says that they have changed.
import "./board.js";
import { refresh } from "./refresh.js";

addEventListener("tableside-changed", refresh);
