/**
 * Repeats a press that was made during the cross-fade between pages. The pictures of a cross-fade lie over the page for a
 * quarter of a second, and the browser tells only the whole document of a press on them.
 */
export function pressThroughFades(): void {
  addEventListener(
    'click',
    (press) => {
      const fading = press.isTrusted && press.target === document.documentElement ? fadesUnderWay() : [];
      if (fading.length === 0) return;
      for (const fade of fading) fade.finish();
      // Asks in each frame, because the pictures go some frames after they have come to their end.
      const repeat = (framesLeft: number) => {
        const pressed = document.elementFromPoint(press.clientX, press.clientY);
        if (pressed === document.documentElement && framesLeft > 0) requestAnimationFrame(() => repeat(framesLeft - 1));
        // With the same keys held, because they decide whether a link opens in a new tab.
        else pressed?.dispatchEvent(new MouseEvent('click', press));
      };
      repeat(30);
    },
    true,
  );
}

const fadesUnderWay = () =>
  document
    .getAnimations()
    .filter(({ effect }) => effect instanceof KeyframeEffect && effect.pseudoElement?.startsWith('::view-transition'));
