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
  }
  export default function SwaggerUI(options: Options): void;
}
