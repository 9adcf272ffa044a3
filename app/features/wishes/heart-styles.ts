/**
 * How hearts look. A sheet made by the script, so that no page carries it before it is painted. A heart lies over the
 * drawing of its card, in a corner that nothing else takes: nothing moves when it comes.
 */
const styles = `
.wish-heart { position: absolute; z-index: 1; top: 0.625rem; left: 0.625rem; width: 2.75rem; height: 2.75rem;
  display: grid; place-items: center; border-radius: 10px 0 12px 0; background: oklch(21.3% 0.063 285.3 / 0.82);
  color: oklch(97.9% 0.011 89.7); cursor: pointer; }
.wish-heart:hover { background: oklch(21.3% 0.063 285.3); }
.wish-heart:focus-visible { outline: 3px solid oklch(84% 0.11 88); outline-offset: -3px; }
[data-wish][aria-pressed='true'] svg { fill: oklch(74% 0.16 32); stroke: oklch(74% 0.16 32); }
.wish-note { position: fixed; z-index: 50; inset: auto 1rem 1rem; margin-inline: auto; max-width: 32rem; padding: 0.875rem 1.25rem;
  border-radius: 12px; background: oklch(21.3% 0.063 285.3); color: oklch(97.9% 0.011 89.7); font-weight: 600;
  border: 2px solid oklch(97.9% 0.011 89.7); }
@media (width >= 48rem) { .wish-heart { top: 0.75rem; right: 0.75rem; left: auto; border-radius: 12px; } }
@media (forced-colors: active) { .wish-heart { border: 1px solid ButtonText; }
  [data-wish][aria-pressed='true'] svg { fill: Highlight; stroke: Highlight; } }
@media print { [data-wish], .wish-note { display: none; } }
`;

/** Adds the styles to the page, once. */
export function addHeartStyles(): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(styles);
  document.adoptedStyleSheets.push(sheet);
}
