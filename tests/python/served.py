"""Asks a vizd that is running, as a notebook's server hands requests on."""
import json, time, urllib.error, urllib.request


def get(url, token=None, **headers):
    """The status, the headers and the text of the answer."""
    if token:
        headers["Authorization"] = f"Bearer {token}"
    request = urllib.request.Request(url, headers={name.replace("_", "-"): value for name, value in headers.items()})
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status, answer.headers, answer.read().decode()
    except urllib.error.HTTPError as refused:
        with refused:
            return refused.code, refused.headers, refused.read().decode()


def wait_for(holds, what):
    end = time.monotonic() + 120
    while not holds():
        assert time.monotonic() < end, what
        time.sleep(0.05)


def session_of(url, token):
    return json.loads(get(url + "api/v1/session", token)[2])


def events_of(url, token):
    return [capture["events"] for capture in session_of(url, token)["captures"]]
