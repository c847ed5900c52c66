/** What is used of Swagger UI, which brings no types of its own for this file. */
declare module "swagger-ui-dist/swagger-ui-es-bundle.js" {
  /** https://swagger.io/docs/open-source-tools/swagger-ui/usage/configuration/ */
  interface Options {
    dom_id: string;
    url: string;
    validatorUrl: null;
    persistAuthorization: boolean;
    deepLinking: boolean;
    displayRequestDuration: boolean;
    filter: boolean;
    plugins: Plugin[];
  }
  type Component = (props: object) => unknown;
  /** https://swagger.io/docs/open-source-tools/swagger-ui/customization/plugin-api/ */
  export type Plugin = (system: {
    React: { createElement(component: unknown, props: object): unknown };
    getSystem(): { getComponent(name: string): unknown };
  }) => { components: Record<string, Component> };
  export default function SwaggerUI(options: Options): void;
}
