/** Says what Enter does, where it does it: with scripts and a keyboard (send-on-enter.ts). */
export function EnterSends() {
  return (
    <p className="hidden text-sm text-mute pointer-fine:block no-script:hidden">
      Enter sends. Shift and Enter make a new line.
    </p>
  );
}
