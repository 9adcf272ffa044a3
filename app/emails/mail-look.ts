/** Colours of docs/brand.md as hex: mail clients know no OKLCH. */
export const light = {
  paper: '#fbf8f0',
  card: '#ffffff',
  ink: '#171334',
  mute: '#5a5675',
  line: '#e4decf',
  panel: '#f5f1e4',
  link: '#2e4be6',
};
export const satin = { ground: '#140f33', straw: '#e8c872', onStraw: '#2a1e00', sky: '#8fb0ff', text: '#ffffff' };
export const fonts = "Figtree, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif";
export const headings = "'Bricolage Grotesque', 'Segoe UI', Roboto, Helvetica, Arial, sans-serif";

/** No spaces of a table's own. */
export const cell = { cellPadding: 0, cellSpacing: 0 };
