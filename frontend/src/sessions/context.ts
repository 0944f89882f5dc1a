/* What every component of a session's page may reach: the session as it is held, and how the page is being looked at. */

import { createContext } from "svelte";
import type { Conversation } from "./conversation.svelte";
import type { View } from "./view.svelte";

export const [conversation, provideConversation] = createContext<Conversation>();
export const [view, provideView] = createContext<View>();
