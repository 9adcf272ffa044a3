import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';

// What home and the list of courses share with other pages.
const parts =
  /\/app\/(ui\/(noted|medal|field|unbroken|icon)|lib\/(money|initials)|seo\/(page-meta|structured-data)|features\/site\/(figures|claims)|features\/catalogue\/(badges|held-catalogue))/;

// Few, larger modules: what every page needs compresses better together, and costs one request instead of many.
const groups = [
  { name: 'react', test: /node_modules\/(react|react-dom|react-router|scheduler)\// },
  { name: 'frame', test: /\/app\/(root|entry\.client|routes\/storefront\/layout)\.tsx/ },
  { name: 'parts', test: parts, minShareCount: 2 },
  { name: 'forms', test: /\/app\/ui\/(form-fields|form-summary|form-state|send-form)/, minShareCount: 2 },
];

export default defineConfig({
  plugins: [tailwindcss(), reactRouter()],
  build: { target: ['chrome111', 'safari16.4', 'firefox128'] },
  environments: {
    client: { build: { rolldownOptions: { output: { codeSplitting: { groups } } } } },
    ssr: { build: { rolldownOptions: { input: './server/app.ts' } } },
  },
});
