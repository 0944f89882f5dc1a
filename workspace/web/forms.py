"""What people type at the entrance."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth import password_validation
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.core.exceptions import ValidationError

from workspace.accounts.models import User


class SignInForm(forms.Form):
    username = forms.CharField(label="User name", max_length=150)
    password = forms.CharField(label="Password", max_length=1000, strip=False)


class NewPassword(forms.Form):
    """A password twice, strong enough for the person whose it will be."""

    password = forms.CharField(label="New password", max_length=1000, strip=False)
    again = forms.CharField(label="The same again", max_length=1000, strip=False)

    def whose(self) -> User | None:
        return None

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        password, again = given.get("password"), given.get("again")
        if password and again and password != again:
            self.add_error("again", "This is not the same password.")
        if password:
            try:
                password_validation.validate_password(password, self.whose())
            except ValidationError as wrong:
                self.add_error("password", wrong)
        return given


class PasswordForm(NewPassword):
    """Changing one's password takes the old one, if there is one."""

    old = forms.CharField(label="Present password", max_length=1000, strip=False, required=False)

    def __init__(self, person: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.person = person

    def whose(self) -> User | None:
        return self.person

    def clean_old(self) -> str:
        old = str(self.cleaned_data["old"])
        if self.person.has_usable_password() and not self.person.check_password(old):
            raise ValidationError("This is not your present password.")
        return old


class NewcomerForm(NewPassword):
    username = forms.CharField(label="User name", max_length=150, validators=[UnicodeUsernameValidator()])
    name = forms.CharField(label="Your name", max_length=100, required=False)

    def whose(self) -> User | None:
        return User(username=self.cleaned_data.get("username", ""), name=self.cleaned_data.get("name", ""))
