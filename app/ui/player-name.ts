/**
 * Shows on a public page who is logged in: the header's link to the login leads to the account and has the first name, in
 * the space that is kept for it (P55). Loaded only where a cookie says that there is somebody.
 */
async function showPlayer(): Promise<void> {
  const response = await fetch('/api/player');
  const player: { name: string | null } | null = response.ok ? await response.json() : null;
  if (!player) return;
  for (const link of document.querySelectorAll<HTMLAnchorElement>('header a[href="/login"]')) {
    link.href = '/account';
    const letters = [...(player.name ?? 'Account')];
    link.textContent = letters.length > 8 ? `${letters.slice(0, 7).join('')}…` : letters.join('');
  }
}

// Nobody misses it while the network is gone.
showPlayer().catch(() => undefined);

export {};
