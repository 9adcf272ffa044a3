import { createContext } from 'react-router';

/** A module as an editor has typed it. */
export type PreviewedModule = { course: string; number: number; title: string; body: string };

/** The module that a preview shows; null for every request of a visitor. */
export const previewedModuleContext = createContext<PreviewedModule | null>(null);
