"""Holds the REST side against its document: python rest.py URL API_KEY EMAIL PASSWORD NETWORK [OPTION…]

The document itself has to be valid OpenAPI 3.1; then schemathesis sends what it describes, and what it does not, and
no answer may be other than described. The options are those of `schemathesis run`.
"""

import os
import subprocess
import sys
from pathlib import Path

import requests
from openapi_spec_validator import OpenAPIV31SpecValidator

if len(sys.argv) < 6:
    sys.exit(__doc__)
url, key, email, password, network, *options = sys.argv[1:]

http = requests.Session()
http.trust_env = False
document = http.get(f"{url}/openapi.json", timeout=20).json()
errors = [f"{'/'.join(map(str, error.path))}: {error.message}" for error in OpenAPIV31SpecValidator(document).iter_errors()]
if errors:
    sys.exit("\n".join(errors))

login = http.post(f"{url}/api/auth/login", json={"email": email, "password": password}, timeout=20)
login.raise_for_status()
networks = http.get(f"{url}/api/v1/networks", headers={"Authorization": f"Bearer {key}"}, timeout=20).json()["data"]
here = Path(__file__).parent
environment = os.environ | {
    "CONTRACT_URL": url,
    "CONTRACT_KEY": key,
    "CONTRACT_SESSION": login.cookies["session_id"],
    "CONTRACT_EMAIL": email,
    "CONTRACT_PASSWORD": password,
    "CONTRACT_NETWORK": next(row["id"] for row in networks if row["name"] == network),
    "PYTHONPATH": str(here),
    "NO_PROXY": "127.0.0.1",
}
command = [sys.executable, "-m", "schemathesis.cli", "--config-file", here / "schemathesis.toml", "run", *options]
sys.exit(subprocess.run([*command, f"{url}/openapi.json"], env=environment).returncode)
