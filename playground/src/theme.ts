/** The looks that all pages share. */
import { Badge, createTheme, Modal } from "@mantine/core";

export const theme = createTheme({
  primaryColor: "teal",
  primaryShade: 9,
  defaultRadius: "sm",
  cursorType: "pointer",
  autoContrast: true,
  respectReducedMotion: true,
  components: {
    Badge: Badge.extend({ styles: { label: { textTransform: "none" } } }),
    Modal: Modal.extend({
      defaultProps: { closeButtonProps: { "aria-label": "Close" } },
      styles: { title: { fontWeight: 600 } },
    }),
  },
});

/** The nonce by which the policy of the page lets style elements in; none where they need none. */
export function styleNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? "";
}
