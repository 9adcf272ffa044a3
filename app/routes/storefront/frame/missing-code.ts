import { useEffect, useState } from 'react';
import { createPath, useNavigation } from 'react-router';

/**
 * Handles a failed fetch of the next page's code. React Router then reloads the present page, which offline leaves only
 * the browser's own error page, and waits for that code for ever. Here the reload is prevented and the next page is
 * asked for as a whole instead, as without JavaScript. `unreachable` is true when the server does not answer either;
 * `tryAgain` asks again. Browsers without the Navigation API reload as before.
 */
export function useMissingCode(): { unreachable: boolean; tryAgain: () => void } {
  const { location } = useNavigation();
  const target = location ? createPath(location) : null;
  const [missing, setMissing] = useState(false);
  const [unreachable, setUnreachable] = useState(false);

  useEffect(() => {
    const { navigation } = window;
    if (!navigation) return;
    const callOff = (event: NavigateEvent) => {
      if (event.navigationType !== 'reload' || event.userInitiated || !event.cancelable) return;
      event.preventDefault();
      setMissing(true);
    };
    navigation.addEventListener('navigate', callOff);
    return () => navigation.removeEventListener('navigate', callOff);
  }, []);

  async function openWhole(address: string) {
    const reached = await fetch(address, { method: 'HEAD' }).then(
      ({ status }) => status < 500,
      () => false,
    );
    setUnreachable(!reached);
    if (reached) window.location.assign(address);
  }

  // Once code was missing, every further page is opened as a whole: that code may be among what it needs.
  // biome-ignore lint/correctness/useExhaustiveDependencies: openWhole reads nothing that changes
  useEffect(() => {
    if (missing && target) void openWhole(target);
    else setUnreachable(false);
  }, [missing, target]);

  return { unreachable, tryAgain: () => void (target && openWhole(target)) };
}
